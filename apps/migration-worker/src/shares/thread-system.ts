import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/** A database server's process on this machine. */
export interface ServerProcess {
  readonly name: string;
  readonly threads: ReadonlySet<number>;
  /** The processors that the process may use, in ascending order. */
  readonly processors: readonly number[];
}

/** The system calls, which tests replace. */
export interface ThreadSystem {
  /** Returns the process that the threads belong to. Returns null if the process is not on this machine. */
  findServer(tids: readonly number[]): ServerProcess | null;
  /** Throws when the operating system does not permit the change. */
  setNiceness(tid: number, niceness: number): void;
  /**
   * Restricts threads to processors. Resolves to false if this machine cannot do so.
   * Ended threads are ignored.
   */
  setProcessors(tids: readonly number[], processors: readonly number[]): Promise<boolean>;
}

const SERVER_NAMES: ReadonlySet<string> = new Set(['mariadbd', 'mysqld']);
/**
 * A shell script that limits threads to processors, because Node cannot do so. `$0` is the list of
 * processors. It is not an error if a thread has already ended.
 */
const SET_PROCESSORS =
  'command -v taskset >/dev/null || exit 127; for tid; do taskset -pc "$0" "$tid"; done >/dev/null 2>&1; exit 0';
const SET_PROCESSORS_TIMEOUT_MS = 5_000;
/** The number of threads to look up. The first thread may have ended since the server was queried. */
const SERVER_ATTEMPTS_MAX = 5;

/**
 * Returns whether all threads that the server reports belong to one server process on this machine. On
 * another machine or in another container, they do not.
 */
export function isHere({ name, threads }: ServerProcess, all: readonly number[]): boolean {
  if (!SERVER_NAMES.has(name)) return false;
  // One or two threads may have ended since the server was queried.
  return all.filter((tid) => threads.has(tid)).length >= all.length * 0.8;
}

/** Parses a list of processors as the kernel writes it: `0-2,5` is `[0, 1, 2, 5]`. */
export function parseProcessors(text: string): number[] {
  return text
    .trim()
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/**
 * Returns the program name of a process. A server unpacked from packages is started by its own loader, and
 * the process has the loader's name.
 *
 * @param commandLine the arguments of the process, each with a zero byte after it
 */
export function toServerName(name: string, commandLine: string): string {
  if (!/^ld-(?:linux|musl)/.test(name)) return name;
  return (
    commandLine
      .split('\0')
      .map((argument) => basename(argument))
      .find((argument) => SERVER_NAMES.has(argument)) ?? name
  );
}

export const LINUX: ThreadSystem = {
  findServer(tids) {
    try {
      const pid =
        tids
          .slice(0, SERVER_ATTEMPTS_MAX)
          .map(findProcess)
          .find((found) => found !== null) ?? null;
      if (pid === null) return null;
      return {
        name: toServerName(
          readFileSync(`/proc/${pid}/comm`, 'utf8').trim(),
          readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
        ),
        threads: new Set(readdirSync(`/proc/${pid}/task`).map(Number)),
        processors: parseProcessors(readStatus(pid, 'Cpus_allowed_list')),
      };
    } catch {
      return null;
    }
  },
  setNiceness: (tid, niceness) => setPriority(tid, niceness),
  setProcessors: (tids, processors) =>
    new Promise((resolve) => {
      const args = ['-c', SET_PROCESSORS, processors.join(','), ...tids.map(String)];
      execFile('/bin/sh', args, { timeout: SET_PROCESSORS_TIMEOUT_MS }, (error) =>
        resolve(error === null || error.killed === true),
      );
    }),
};

/** Reads a field of a thread's status. Throws if the thread does not exist. */
function readStatus(tid: number | string, name: string): string {
  return new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(readFileSync(`/proc/${tid}/status`, 'utf8'))?.[1] ?? '';
}

function findProcess(tid: number): string | null {
  try {
    return readStatus(tid, 'Tgid');
  } catch {
    return null;
  }
}
