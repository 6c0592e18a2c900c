/** What the process ends with. Scripts rely on these: they never change their meaning. */
export const EXIT = { ok: 0, failed: 1, usage: 2, signedOut: 3, differs: 4, unreachable: 5 } as const;

/** A failure whose text is for the person at the terminal. `next`: what to do about it. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;
  readonly next: string;
  /** What `--json` tells besides. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(message: string, { exitCode = EXIT.failed, next, body = {} }: { exitCode?: number; next: string; body?: Readonly<Record<string, unknown>> }) {
    super(message);
    this.exitCode = exitCode;
    this.next = next;
    this.body = body;
  }
}

/** The person asked for the end while something was under way. */
export function stopped(): CliError {
  return new CliError('Stopped.', { next: 'what has been started goes on: see rowhouse migrations list' });
}
