/** Thrown when the database does not know a name or a shape of the snapshot. Everything was rolled back. */
export class StaleSchemaError extends Error {
  /** `refusal` is the error to report when the same statement fails again with the same error. */
  constructor(
    readonly errno: number,
    message: string,
    readonly refusal: Error | null = null,
  ) {
    super(message);
    this.name = 'StaleSchema';
  }
}
