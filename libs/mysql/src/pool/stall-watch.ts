import type { PoolSession } from '../session/pool-session.js';
import type { PoolServer } from '../types.js';

/**
 * Finds nodes that stopped responding although their connections stay open, such as a suspended process or a
 * network that drops packets. Because a slow statement looks the same, the node is asked for a new session
 * before it is given up.
 */
export interface StallWatch {
  add(session: PoolSession): void;
  /** Runs one check. Call it at a fixed interval. */
  check(): void;
}

export interface StallWatchOptions {
  /** Returns whether the node opens a new session. Never rejects. */
  readonly answers: (endpoint: PoolServer) => Promise<boolean>;
  /** Called when two new sessions in a row failed. The given sessions will not get responses either. */
  readonly onStalled: (endpoint: PoolServer, sessions: readonly PoolSession[]) => void;
}

/** The number of checks with the same outstanding response before the node is tested. */
const SILENT_LOOKS = 8;
/** The number of further checks before it is tested again after it responded. */
const SILENT_LOOKS_AGAIN = 25;
/** The second try succeeds on a machine that was only busy for a moment. */
const ATTEMPTS = 2;

interface Watched {
  /** The outstanding response at the last check. */
  owed: unknown;
  looks: number;
}

export function createStallWatch({ answers, onStalled }: StallWatchOptions): StallWatch {
  const sessions = new Map<PoolSession, Watched>();
  const requested = new Set<PoolServer>();

  function look(): void {
    const silent = new Set<PoolServer>();
    for (const [session, watched] of sessions) {
      if (session.isLost) {
        sessions.delete(session);
        continue;
      }
      const owed = session.owed();
      watched.looks = owed !== null && owed === watched.owed ? watched.looks + 1 : 0;
      watched.owed = owed;
      if (watched.looks >= SILENT_LOOKS) silent.add(session.endpoint);
    }
    for (const endpoint of silent) if (!requested.has(endpoint)) void ask(endpoint);
  }

  async function ask(endpoint: PoolServer): Promise<void> {
    requested.add(endpoint);
    let isAnswering = false;
    for (let attempts = 0; attempts < ATTEMPTS && !isAnswering; attempts += 1)
      isAnswering = await answers(endpoint);
    requested.delete(endpoint);
    const there = [...sessions].filter(([session]) => session.endpoint === endpoint);
    if (!isAnswering)
      return onStalled(
        endpoint,
        there.map(([session]) => session),
      );
    for (const [, watched] of there)
      watched.looks = Math.min(watched.looks, SILENT_LOOKS - SILENT_LOOKS_AGAIN);
  }

  return {
    add: (session) => void sessions.set(session, { owed: null, looks: 0 }),
    check: look,
  };
}
