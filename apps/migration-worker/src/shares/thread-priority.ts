import { isHere, LINUX, type ServerProcess, type ThreadSystem } from './thread-system.js';

/**
 * The niceness of threads that work for a busy organization. It is the lowest priority; all other threads run
 * at 0. A milder value would bring no benefit, because a thread that is preempted while it holds a lock does
 * not use the processors of other users.
 */
export const LOWERED = 19;
/** The maximum number of threads whose affinity changes in one check. Each change starts a process. */
const CONFINED_AT_ONCE_MAX = 64;

export interface ServerThreads {
  readonly bySession: ReadonlyMap<number, number>;
  readonly all: readonly number[];
}

export interface ThreadPriority {
  /**
   * Lowers the priority of these sessions' threads. If the operating system permits it, other threads that
   * were lowered earlier are raised again. With `isConfined`, the lowered threads may use only the upper half
   * of the server's processors.
   */
  apply(threads: ServerThreads, sessions: ReadonlySet<number>, isConfined: boolean): void;
  /** Returns whether the last call that had busy sessions lowered their threads. */
  isInForce(): boolean;
  /** Returns whether the last call found threads to change, so that the next check should follow soon. */
  hasChanged(): boolean;
}

/**
 * Lowers the scheduling priority of threads of a database server that runs on this machine under this
 * process's user. The engines cannot share processors between accounts, but the operating system can. On
 * other machines this does nothing.
 */
export function createThreadPriority(system: ThreadSystem = LINUX): ThreadPriority {
  const lowered = new Map<number, number>();
  const confinement = createConfinement(system);
  let mayRaise = true;
  let isInForce = false;
  let hasChanged = false;

  function set(tid: number, niceness: number): boolean {
    try {
      system.setNiceness(tid, niceness);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Forgets threads whose session is no longer busy or has ended. An unprivileged process cannot raise a
   * priority again, so these threads stay at the low priority until they end.
   */
  function raise({ bySession, all }: ServerThreads, sessions: ReadonlySet<number>): void {
    for (const [tid, session] of lowered) {
      if (sessions.has(session) && bySession.get(session) === tid) continue;
      if (mayRaise) mayRaise = !all.includes(tid) || set(tid, 0);
      lowered.delete(tid);
      hasChanged = true;
    }
  }

  function lower({ bySession }: ServerThreads, sessions: ReadonlySet<number>): void {
    const found = [...sessions].flatMap((session) => bySession.get(session) ?? []);
    for (const session of sessions) {
      const tid = bySession.get(session);
      if (tid === undefined || lowered.has(tid) || !set(tid, LOWERED)) continue;
      lowered.set(tid, session);
      hasChanged = true;
    }
    if (found.length > 0) isInForce = found.some((tid) => lowered.has(tid));
  }

  return {
    apply(threads, sessions, isConfined) {
      hasChanged = false;
      if (sessions.size === 0 && lowered.size === 0 && confinement.isOff()) return;
      const server = system.findServer(threads.all);
      if (server === null || !isHere(server, threads.all)) {
        isInForce = false;
        confinement.forget();
        return lowered.clear();
      }
      raise(threads, sessions);
      lower(threads, sessions);
      confinement.apply(server, threads, isConfined ? new Set(lowered.keys()) : new Set());
    },
    isInForce: () => isInForce,
    hasChanged: () => hasChanged || confinement.isBehind(),
  };
}

interface Confinement {
  /**
   * Restricts the `requested` threads, and no others of the server, to the upper half of the server's
   * processors. Does not wait for the operating system.
   */
  apply(server: ServerProcess, threads: ServerThreads, requested: ReadonlySet<number>): void;
  /** Returns whether more changes remain. */
  isBehind(): boolean;
  /** Forgets all threads, because the server is not on this machine. */
  forget(): void;
  /** Returns whether no thread is confined. */
  isOff(): boolean;
}

function createConfinement(system: ThreadSystem): Confinement {
  const confined = new Set<number>();
  /**
   * The threads that belong to no session. If a confined thread has started such a thread, it has inherited
   * the limit to some processors.
   */
  let background: ReadonlySet<number> | null = null;
  let running: Promise<void> | null = null;
  let isSupported = true;
  let hasMore = false;

  async function change(
    tids: readonly number[],
    processors: readonly number[],
    isNarrow: boolean,
  ): Promise<void> {
    if (tids.length === 0) return;
    isSupported = await system.setProcessors(tids, processors);
    for (const tid of tids) {
      if (isNarrow) confined.add(tid);
      else confined.delete(tid);
    }
  }

  return {
    apply({ processors }, { bySession, all }, requested) {
      const half = processors.slice(Math.ceil(processors.length / 2));
      if (!isSupported || running !== null || half.length === 0) return;
      const ofSessions = new Set(bySession.values());
      const others = all.filter((tid) => !ofSessions.has(tid));
      const inherited = background === null ? [] : others.filter((tid) => background?.has(tid) !== true);
      background = new Set(others);
      const living = new Set(all);
      for (const tid of confined) if (!living.has(tid)) confined.delete(tid);
      const wider = [...inherited, ...[...confined].filter((tid) => !requested.has(tid))];
      const narrower = [...requested].filter((tid) => !confined.has(tid));
      hasMore = Math.max(wider.length, narrower.length) > CONFINED_AT_ONCE_MAX;
      running = change(wider.slice(0, CONFINED_AT_ONCE_MAX), processors, false)
        .then(() => change(narrower.slice(0, CONFINED_AT_ONCE_MAX), half, true))
        .finally(() => void (running = null));
    },
    isBehind: () => hasMore,
    forget: () => confined.clear(),
    isOff: () => running === null && confined.size === 0,
  };
}
