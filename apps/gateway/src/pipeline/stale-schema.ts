/** The database does not know a name, or a shape, that the snapshot has. Everything was rolled back. */
export class StaleSchema extends Error {
  /** `refusal`: the answer when the same statement meets the same error again. */
  constructor(readonly errno: number, message: string, readonly refusal: Error | null = null) {
    super(message);
    this.name = 'StaleSchema';
  }
}
