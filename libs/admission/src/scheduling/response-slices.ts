/** Divides long work on the event loop into slices, so that other work can run between them. */
export interface Scheduler {
  /** Calls `resume` in a later slice. The owners take turns. */
  wait(owner: string, resume: () => void): void;
}

/** A stream of bytes that can be paused. */
export interface PausableFlow {
  pause(): void;
  resume(): void;
}

/** The number of response bytes that are read without a pause. */
const SLICE_BYTES = 32 * 1024;

/**
 * Returns a function that must be called with the number of response bytes as they arrive. It pauses the
 * stream between slices. During a pause, packets wait in the socket, which slows down the server. `openFlow`
 * is called when the response is longer than a slice.
 */
export function createResponseSlices(
  scheduler: Scheduler,
  owner: string,
  openFlow: () => PausableFlow,
): (bytes: number) => void {
  let takenBytes = 0;
  let flow: PausableFlow | null = null;
  return (bytes) => {
    takenBytes += bytes;
    if (takenBytes < SLICE_BYTES) return;
    takenBytes = 0;
    const paused = (flow ??= openFlow());
    paused.pause();
    scheduler.wait(owner, () => paused.resume());
  };
}
