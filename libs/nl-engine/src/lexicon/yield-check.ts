/** Adds completed work, and reports whether the caller should yield to other requests. */
export type YieldCheck = (work: number) => boolean;

/**
 * The amount of work in one step, which takes about a millisecond. One phrase, key or value is one unit of
 * work.
 */
const WORK_PER_STEP = 1_000;

/** Creates a check that counts work and returns true after each `WORK_PER_STEP`. */
export function createYieldCheck(): YieldCheck {
  let workDone = 0;
  return (work) => {
    workDone += work;
    if (workDone < WORK_PER_STEP) return false;
    workDone = 0;
    return true;
  };
}

/** The amount of work for splitting one name. One phrase is one unit of work. */
export const NAME_WORK = 5;
