import type { StatementFlow, Turns } from './pool-types.js';

/** The number of response bytes read without a pause. */
const TURN_BYTES = 32 * 1024;

/**
 * Returns a function that receives the number of response bytes as they arrive. Long responses are read in
 * slices. Between slices, their packets wait in the socket and pause the server. `openFlow` is not called for
 * short ones.
 */
export function createTurnTaker(turns: Turns, owner: string, openFlow: () => StatementFlow): (bytes: number) => void {
  let taken = 0;
  let flow: StatementFlow | null = null;
  return (bytes) => {
    taken += bytes;
    if (taken < TURN_BYTES) return;
    taken = 0;
    const held = (flow ??= openFlow());
    held.pause();
    turns.wait(owner, () => held.resume());
  };
}
