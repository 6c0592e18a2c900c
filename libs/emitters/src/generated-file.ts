/** One file of generated code. Paths are relative, with slashes, inside the folder that the caller chose. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
  /** `generated`: written anew each time. `own`: written once, then its user's, never touched again. */
  readonly owner: 'generated' | 'own';
}
