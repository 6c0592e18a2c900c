import type { StatementFlow, Turns } from './pool-types.js';

/** Of an answer that are read in one go. */
const TURN_BYTES = 32 * 1024;

/**
 * Told of the bytes of an answer as they come: the rest of a long one is read when it is the owner's turn again. Until
 * then its packets wait, and the server with them. `openFlow` is not called for a short one.
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
