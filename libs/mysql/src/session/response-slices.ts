import type { StatementFlow, Scheduler } from '../types.js';

/** The number of response bytes read without a pause. */
const TURN_BYTES = 32 * 1024;

/**
 * Returns a function that receives the number of response bytes as they arrive. Long responses are read in
 * slices. Between slices, their packets wait in the socket and pause the server. `openFlow` is not called for
 * short ones.
 */
export function createSliceTaker(
  scheduler: Scheduler,
  owner: string,
  openFlow: () => StatementFlow,
): (bytes: number) => void {
  let takenCount = 0;
  let flow: StatementFlow | null = null;
  return (bytes) => {
    takenCount += bytes;
    if (takenCount < TURN_BYTES) return;
    takenCount = 0;
    const held = (flow ??= openFlow());
    held.pause();
    scheduler.wait(owner, () => held.resume());
  };
}
