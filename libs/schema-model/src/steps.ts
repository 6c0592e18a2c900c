/** Work in steps. The caller may let other tasks run between two steps. */
export type Steps<T> = Generator<undefined, T>;

/** Runs all steps without a pause. */
export function doSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs all steps and awaits `pause` between each two. Rejects with the error that a step throws. */
export async function runStepsInSlices<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await pause();
  }
}
