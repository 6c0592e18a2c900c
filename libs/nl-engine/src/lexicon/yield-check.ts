/** Adds completed work and returns whether the caller should yield to other requests. */
export type YieldCheck = (work: number) => boolean;

/** The work of one step, where one phrase, key or value counts 1. A step takes about a millisecond. */
const WORK_PER_STEP = 1_000;

/** Creates a check that counts work and asks to yield after `WORK_PER_STEP`. */
export function createYieldCheck(): YieldCheck {
  let workDone = 0;
  return (work) => {
    workDone += work;
    if (workDone < WORK_PER_STEP) return false;
    workDone = 0;
    return true;
  };
}

/** The work of splitting one name, relative to one phrase. */
export const NAME_WORK = 5;
