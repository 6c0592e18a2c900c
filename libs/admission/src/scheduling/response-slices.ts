/** Schedules long work on the event loop in slices, so that other work runs between them. */
export interface Scheduler {
  /** Calls `resume` in a later slice. Owners are served in rotation. */
  wait(owner: string, resume: () => void): void;
}

/** A source of bytes that can be paused. */
export interface PausableFlow {
  pause(): void;
  resume(): void;
}

/** The number of response bytes read without a pause. */
const SLICE_BYTES = 32 * 1024;

/**
 * Returns a function that receives the number of response bytes as they arrive, and pauses the flow between
 * slices. During a pause, packets wait in the socket, which slows down the server. `openFlow` is called once
 * the response is longer than a slice.
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
