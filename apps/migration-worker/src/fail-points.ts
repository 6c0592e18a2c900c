import { appendFileSync, readFileSync, rmSync } from 'node:fs';

/** Kills the process like `kill -9` if `name` is one of the configured fail points. */
export type FailPoint = (name: string) => void;

/** The exit code at a fail point. */
export const FAIL_POINT_EXIT = 137;

/**
 * If the fail-point file has this content, all points that are reached are recorded in a second file next to
 * it.
 */
const RECORD = '*';
/** The prefix of a fail point at which the process stops until it is continued. */
const HOLD = 'hold ';

/**
 * Creates the fail points. Outside of tests, `requested` and `file` are empty, because `readWorkerConfig`
 * rejects other values. A worker in production can therefore not be ended here. The file names one point,
 * with an optional prefix `hold `. When the process reaches that point, it deletes the file, so that the next
 * process passes the point.
 */
export function createFailPoint(requested: ReadonlySet<string>, file?: string): FailPoint {
  if (requested.size === 0 && file === undefined) return () => undefined;
  return (name) => {
    // The process ends without running any handlers, so that nothing more reaches the server or the journal.
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
