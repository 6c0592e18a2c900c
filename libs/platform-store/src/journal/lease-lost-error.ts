/**
 * Thrown when another worker has taken over the row.
 * The holder of the old token must stop immediately and write nothing more.
 */
export class LeaseLostError extends Error {
  constructor(rowId: string) {
    super(`the lease on ${rowId} is no longer held`);
    this.name = 'LeaseLostError';
  }
}
