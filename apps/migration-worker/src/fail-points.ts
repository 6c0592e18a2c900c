import { appendFileSync, readFileSync, rmSync } from 'node:fs';

/** Kills the process like `kill -9` if `name` is one of the configured fail points. */
export type FailPoint = (name: string) => void;

/** The exit code at a fail point. */
export const FAIL_POINT_EXIT = 137;

/**
 * A fail-point file with this content requests a recording. Each point that is reached is written to a second
 * file next to it.
 */
const RECORD = '*';
/** The prefix of a fail point at which the process stops until it is continued. */
const HOLD = 'hold ';

/**
 * Creates the fail points. Outside tests `requested` and `file` are empty, because `readWorkerConfig` rejects
 * other values. A production worker can therefore not be ended here. The file names one point, with an
 * optional `hold ` prefix. The process deletes the file at that point, so that the next process passes the
 * point.
 */
export function createFailPoint(requested: ReadonlySet<string>, file?: string): FailPoint {
  if (requested.size === 0 && file === undefined) return () => undefined;
  return (name) => {
    // The process ends without running handlers, so that nothing more reaches the server or the journal.
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
