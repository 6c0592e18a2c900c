import { appendFileSync, readFileSync, rmSync } from 'node:fs';

/** Kills the process like `kill -9` if `name` is one of the configured points. */
export type FailPoint = (name: string) => void;

/** The exit code at a fail point. */
export const FAIL_POINT_EXIT = 137;

/** A file with this content records each point that is reached, in a file next to it. */
const RECORD = '*';
/** A prefix for a point at which the process stops until it is continued. */
const HOLD = 'hold ';

/**
 * Creates the fail points. `requested` and `file` are empty outside tests, because `readWorkerConfig` rejects
 * other values, so this cannot end a production worker. The file names one point, with an optional `hold `
 * prefix, and is deleted at that point. The next process passes it.
 */
export function createFailPoint(requested: ReadonlySet<string>, file?: string): FailPoint {
  if (requested.size === 0 && file === undefined) return () => undefined;
  return (name) => {
    // Ends the process without handlers, so that nothing reaches the server or the journal any more.
    const signal = requested.has(name) ? 'SIGKILL' : file === undefined ? null : readSignal(file, name);
    if (signal !== null) process.kill(process.pid, signal);
  };
}

function readSignal(file: string, name: string): 'SIGKILL' | 'SIGSTOP' | null {
  const named = readNamed(file);
  if (named === RECORD) appendFileSync(`${file}.seen`, `${name}\n`);
  const signal = named === name ? 'SIGKILL' : named === HOLD + name ? 'SIGSTOP' : null;
  if (signal !== null) rmSync(file);
  return signal;
}

function readNamed(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
