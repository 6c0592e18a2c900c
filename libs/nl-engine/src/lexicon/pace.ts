/** Told of work that was done, answers whether it is time to let others in. */
export type Pace = (work: number) => boolean;

/** In phrases, keys and values of a lexicon: about a millisecond. */
const WORK_PER_STEP = 1_000;

export function createPace(): Pace {
  let done = 0;
  return (work) => {
    done += work;
    if (done < WORK_PER_STEP) return false;
    done = 0;
    return true;
  };
}
