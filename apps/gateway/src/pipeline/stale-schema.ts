/** The database does not know a name, or a shape, that the snapshot has. Everything was rolled back. */
export class StaleSchema extends Error {
  constructor(readonly errno: number, message: string) {
    super(message);
    this.name = 'StaleSchema';
  }
}
