import { collectRows } from '../row-sinks.js';
import type { PoolServer } from '../types.js';
import { STATEMENTS_PER_SESSION_MAX, type PoolSession } from '../session/pool-session.js';

/**
 * The minimum number of prepared statements per session. With fewer, statements would have to be prepared
 * again all the time.
 */
const STATEMENTS_PER_SESSION_MIN = 8;

/**
 * Returns a function that sets `limits.statementsPerSessionMax` to the share of one session. The server
 * limits the number of prepared statements of all sessions together, and rejects further ones, so the
 * function asks the server for this limit once. If that fails, it destroys the session and rejects like
 * `PoolSession.run`.
 */
export function createStatementShare(
  server: PoolServer,
  limits: { statementsPerSessionMax: number },
): (session: PoolSession) => Promise<void> {
  let isKnown = false;
  return async (session) => {
    if (isKnown) return;
    isKnown = true;
    try {
      const { rows } = await session.run(
        'SELECT @@GLOBAL.max_prepared_stmt_count',
        [],
        collectRows({ bytesMax: 100 }),
      );
      limits.statementsPerSessionMax = shareStatements(
        Number(rows.rows[0]?.[0] ?? 0),
        server.connectionsTotal ?? server.connectionsMax,
      );
    } catch (error) {
      isKnown = false;
      session.destroy('the limit of prepared statements could not be read');
      throw error;
    }
  };
}

/**
 * Returns the number of prepared statements that each session may have. All sessions of the server together
 * then use at most 80 % of the server's limit.
 */
export function shareStatements(serverMax: number, connectionsTotal: number): number {
  const share = Math.floor((serverMax * 0.8) / Math.max(1, connectionsTotal));
  return Math.max(STATEMENTS_PER_SESSION_MIN, Math.min(STATEMENTS_PER_SESSION_MAX, share));
}
