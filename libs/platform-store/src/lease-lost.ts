/** Another worker has taken the row over: whoever holds the old token must stop at once and write nothing more. */
export class LeaseLostError extends Error {
  constructor(rowId: string) {
    super(`the lease on ${rowId} is no longer held`);
    this.name = 'LeaseLostError';
  }
}
