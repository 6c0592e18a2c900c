/** Work in steps: whoever does it may let others have their turn between two of them. */
export type Steps<T> = Generator<undefined, T>;

/** In one go. */
export function doSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** `pause` is awaited between two steps. Rejects with what a step throws. */
export async function doStepsInTurns<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await pause();
  }
}
