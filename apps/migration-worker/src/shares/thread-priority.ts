import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Niceness of threads that work for an organization with much at work; everything else runs at 0. Mild, since a thread may hold
 * what others wait for: at 15 one that is preempted with a lock keeps them waiting for longer than it relieves them.
 */
export const LOWERED = 5;

/** The system's calls, replaced in tests. */
export interface ThreadSystem {
  /** The process that a thread belongs to, with its name and all of its threads; null: there is no such thread here. */
  readProcess(tid: number): { readonly name: string; readonly threads: ReadonlySet<number> } | null;
  /** Throws where it may not. */
  setNiceness(tid: number, niceness: number): void;
}

export interface ThreadPriority {
  /** Lowers the threads of these sessions and raises those lowered before, where that is allowed. */
  apply(threads: { readonly bySession: ReadonlyMap<number, number>; readonly all: readonly number[] }, sessions: ReadonlySet<number>): void;
}

const SERVER_NAMES: ReadonlySet<string> = new Set(['mariadbd', 'mysqld']);

/**
 * Lowers the scheduling priority of a database server's threads where it runs on this machine under this process's user.
 * Neither engine can share its processors by account, the operating system can. Elsewhere this does nothing.
 */
export function createThreadPriority(system: ThreadSystem = LINUX): ThreadPriority {
  const lowered = new Map<number, number>();
  let mayRaise = true;

  function set(tid: number, niceness: number): boolean {
    try {
      system.setNiceness(tid, niceness);
      return true;
    } catch {
      return false;
    }
  }

  return {
    apply({ bySession, all }, sessions) {
      if (sessions.size === 0 && lowered.size === 0) return;
      if (!isHere(system, all)) return lowered.clear();
      for (const [tid, session] of lowered) {
        if (sessions.has(session) && bySession.get(session) === tid) continue;
        // An unprivileged process may only lower. The thread then stays low until its session ends (`thread_cache_size=0`).
        if (mayRaise) mayRaise = !all.includes(tid) || set(tid, 0);
        lowered.delete(tid);
      }
      for (const session of sessions) {
        const tid = bySession.get(session);
        if (tid !== undefined && !lowered.has(tid) && set(tid, LOWERED)) lowered.set(tid, session);
      }
    },
  };
}

/** All threads that the server names are those of one database server process: ids of another machine or container are not. */
function isHere(system: ThreadSystem, all: readonly number[]): boolean {
  const [first] = all;
  const found = first === undefined ? null : system.readProcess(first);
  if (found === null || !SERVER_NAMES.has(found.name)) return false;
  // One or two may have ended since the server was asked.
  return all.filter((tid) => found.threads.has(tid)).length >= all.length * 0.8;
}

const LINUX: ThreadSystem = {
  readProcess(tid) {
    try {
      const pid = Number(/^Tgid:\s*(\d+)/m.exec(readFileSync(`/proc/${tid}/status`, 'utf8'))?.[1]);
      return { name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim(), threads: new Set(readdirSync(`/proc/${pid}/task`).map(Number)) };
    } catch {
      return null;
    }
  },
  setNiceness: (tid, niceness) => setPriority(tid, niceness),
};
