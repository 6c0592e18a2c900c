import { appendFileSync, readFileSync, rmSync } from 'node:fs';

/** Ends the process as `kill -9` would when `name` is one of the points asked for. */
export type FailPoint = (name: string) => void;

/** Exit code of a process that ended at a fail point. */
export const FAIL_POINT_EXIT = 137;

/** Each point that is passed is written down behind the file's name. */
const RECORD = '*';
/** In front of a point: the process stands still there until someone lets it go on. */
const HOLD = 'hold ';

/**
 * `asked` and `file` are empty outside tests (`readWorkerConfig` refuses anything else), so that nothing here can end a
 * real worker. The file names one point (or `hold ` and one) and goes with it: whoever is started next passes.
 */
export function createFailPoint(asked: ReadonlySet<string>, file?: string): FailPoint {
  if (asked.size === 0 && file === undefined) return () => undefined;
  return (name) => {
    // No handlers, no flushing: what is not yet on the server or in the journal must look as if it never happened.
    const signal = asked.has(name) ? 'SIGKILL' : file === undefined ? null : readSignal(file, name);
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
