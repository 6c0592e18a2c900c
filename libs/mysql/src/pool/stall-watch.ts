import type { PoolSession } from '../session/pool-session.js';
import type { PoolServer } from '../types.js';

/**
 * Finds nodes that stopped responding although their connections stay open, for example because the process
 * is suspended or the network drops packets. A slow statement looks the same, so a new session is requested
 * from the node before it counts as stalled.
 */
export interface StallWatch {
  add(session: PoolSession): void;
  /** Runs one check. Call it at a fixed interval. */
  check(): void;
}

export interface StallWatchOptions {
  /** Returns whether the node opens a new session. Never rejects. */
  readonly answers: (endpoint: PoolServer) => Promise<boolean>;
  /**
   * Called when two new sessions in a row could not be opened. The given sessions will not get responses
   * either.
   */
  readonly onStalled: (endpoint: PoolServer, sessions: readonly PoolSession[]) => void;
}

/** The number of checks in a row that find the same response outstanding before the node is tested. */
const SILENT_CHECKS = 8;
/** After the node passed a test, the number of further checks before it is tested again. */
const SILENT_CHECKS_AGAIN = 25;
/**
 * The number of attempts to open a session in a test. On a machine that was only busy for a moment, the
 * second attempt succeeds.
 */
const ATTEMPTS = 2;

interface Watched {
  /** Identifies the response that was outstanding at the last check. */
  outstanding: unknown;
  silentChecks: number;
}

export function createStallWatch({ answers, onStalled }: StallWatchOptions): StallWatch {
  const sessions = new Map<PoolSession, Watched>();
  const testing = new Set<PoolServer>();

  function checkAll(): void {
    const silent = new Set<PoolServer>();
    for (const [session, watched] of sessions) {
      if (session.isLost) {
        sessions.delete(session);
        continue;
      }
      const outstanding = session.outstandingResponse();
      watched.silentChecks =
        outstanding !== null && outstanding === watched.outstanding ? watched.silentChecks + 1 : 0;
      watched.outstanding = outstanding;
      if (watched.silentChecks >= SILENT_CHECKS) silent.add(session.endpoint);
    }
    for (const endpoint of silent) if (!testing.has(endpoint)) void testNode(endpoint);
  }

  async function testNode(endpoint: PoolServer): Promise<void> {
    testing.add(endpoint);
    let isAnswering = false;
    for (let attempts = 0; attempts < ATTEMPTS && !isAnswering; attempts += 1)
      isAnswering = await answers(endpoint);
    testing.delete(endpoint);
    const onNode = [...sessions].filter(([session]) => session.endpoint === endpoint);
    if (!isAnswering)
      return onStalled(
        endpoint,
        onNode.map(([session]) => session),
      );
    for (const [, watched] of onNode)
      watched.silentChecks = Math.min(watched.silentChecks, SILENT_CHECKS - SILENT_CHECKS_AGAIN);
  }

  return {
    add: (session) => void sessions.set(session, { outstanding: null, silentChecks: 0 }),
    check: checkAll,
  };
}
