/** A generated file. Its path is relative to the folder that the caller chooses, with slashes. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
  /**
   * `generated` files are overwritten each time. `own` files are created once, and then belong to the user.
   */
  readonly owner: 'generated' | 'own';
}
