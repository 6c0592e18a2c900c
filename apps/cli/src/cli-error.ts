/** The exit codes of the process. Scripts rely on them, so their meaning never changes. */
export const EXIT = { ok: 0, failed: 1, usage: 2, signedOut: 3, differs: 4, unreachable: 5 } as const;

/** An error whose text is written for the user. `next` is the next step for the user. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;
  readonly next: string;
  /** Additional members of the output with `--json`. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    {
      exitCode = EXIT.failed,
      next,
      body = {},
    }: { exitCode?: number; next: string; body?: Readonly<Record<string, unknown>> },
  ) {
    super(message);
    this.exitCode = exitCode;
    this.next = next;
    this.body = body;
  }
}

/** Returns the error that is reported when the user stops a command while its work is in progress. */
export function stopped(): CliError {
  return new CliError('Stopped.', { next: 'work that has started continues; see rowhouse migrations list' });
}
