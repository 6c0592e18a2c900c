/** Adds completed work, and returns whether it is time to yield to other requests. */
export type YieldCheck = (work: number) => boolean;

/** The work per step in phrases, keys and values of a lexicon. It takes about a millisecond. */
const WORK_PER_STEP = 1_000;

/** Creates a check that counts work and asks to yield after `WORK_PER_STEP`. */
export function createPace(): YieldCheck {
  let done = 0;
  return (work) => {
    done += work;
    if (done < WORK_PER_STEP) return false;
    done = 0;
    return true;
  };
}

/** The work of splitting a name, relative to a phrase with work 1. */
export const NAME_WORK = 5;
