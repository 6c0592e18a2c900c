import type { PoolSession } from './pool-session.js';
import type { PoolServer } from './pool-types.js';

/**
 * Finds nodes that have stopped answering and whose connections live on: a process that stands still, a wire that swallows
 * everything. A statement may take its time; so a node is asked for a new session before it is given up.
 */
export interface StallWatch {
  add(session: PoolSession): void;
  /** To be called at an even interval. */
  look(): void;
}

export interface StallWatchOptions {
  /** Whether a new session can be had there. Never rejects. */
  readonly answers: (place: PoolServer) => Promise<boolean>;
  /** None could be had, twice in a row: the sessions given will not be answered either. */
  readonly onStalled: (place: PoolServer, sessions: readonly PoolSession[]) => void;
}

/** Looks at which a session was owed the same answer, before its node is asked. */
const SILENT_LOOKS = 8;
/** And before it is asked again, when it had answered. */
const SILENT_LOOKS_AGAIN = 25;
/** Of a machine that was busy for a moment, the second one is in time. */
const TRIES = 2;

interface Watched {
  /** What the server owed at the last look. */
  owed: unknown;
  looks: number;
}

export function createStallWatch({ answers, onStalled }: StallWatchOptions): StallWatch {
  const sessions = new Map<PoolSession, Watched>();
  const asked = new Set<PoolServer>();

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
      if (watched.looks >= SILENT_LOOKS) silent.add(session.place);
    }
    for (const place of silent) if (!asked.has(place)) void ask(place);
  }

  async function ask(place: PoolServer): Promise<void> {
    asked.add(place);
    let isAnswering = false;
    for (let tries = 0; tries < TRIES && !isAnswering; tries += 1) isAnswering = await answers(place);
    asked.delete(place);
    const there = [...sessions].filter(([session]) => session.place === place);
    if (!isAnswering) return onStalled(place, there.map(([session]) => session));
    for (const [, watched] of there) watched.looks = Math.min(watched.looks, SILENT_LOOKS - SILENT_LOOKS_AGAIN);
  }

  return {
    add: (session) => void sessions.set(session, { owed: null, looks: 0 }),
    look,
  };
}
