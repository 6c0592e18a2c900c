/**
 * Thrown if another worker has taken over the row. The worker with the old token must stop immediately and
 * must not write anything else.
 */
export class LeaseLostError extends Error {
  constructor(rowId: string) {
    super(`the lease on ${rowId} is no longer held`);
    this.name = 'LeaseLostError';
  }
}
