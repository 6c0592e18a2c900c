import { createInterface as createLines } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** The environment of the CLI. Tests provide their own. */
export interface CliEnvironment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
  /** Whether stdin and stderr are terminals. */
  readonly isInteractive: boolean;
  /** Whether stdout is a terminal that shows colors and changing lines. */
  readonly isTerminal: boolean;
  readonly columns: number;
  print(text: string): void;
  /** Prints to stderr, which errors and progress use. */
  writeError(text: string): void;
  ask(question: string, options?: { readonly isSecret?: boolean }): Promise<string>;
  readInput(): Promise<string>;
  /** Reads stdin line by line until it ends or the user stops the command. */
  readLines(): AsyncIterable<string>;
  /** Aborted when the user stops the command. */
  readonly stopped: AbortSignal;
}

/** Returns the environment of the process. */
export function createCliEnvironment(): CliEnvironment {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  // The program that reads from the pipe has closed it, as in `rowhouse … | head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  return {
    cwd: process.cwd(),
    env: process.env,
    fetch: globalThis.fetch,
    isInteractive: process.stdin.isTTY && process.stderr.isTTY,
    isTerminal: process.stdout.isTTY,
    columns: process.stdout.columns ?? 100,
    print: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    ask,
    readInput,
    readLines: () =>
      createLines({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY, signal: stop.signal }),
    stopped: stop.signal,
  };
}

/** Asks a question. A secret is not shown while it is typed. */
async function ask(
  question: string,
  { isSecret = false }: { readonly isSecret?: boolean } = {},
): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? silent : process.stderr,
    terminal: process.stdin.isTTY,
  });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}

async function readInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk);
  return text;
}
