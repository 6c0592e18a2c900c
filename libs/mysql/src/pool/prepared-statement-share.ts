import { collectRows } from '../row-sinks.js';
import { STATEMENTS_PER_SESSION_MAX, type PoolSession } from '../session/pool-session.js';

/** With fewer prepared statements, they would be prepared again all the time. */
const STATEMENTS_PER_SESSION_MIN = 8;

/**
 * Reads how many prepared statements the server accepts and returns the share of one session. Rejects like
 * `PoolSession.run`.
 *
 * @param connectionsTotal the number of sessions that all processes together may open
 */
export async function readStatementsPerSession(
  session: PoolSession,
  connectionsTotal: number,
): Promise<number> {
  const { rows } = await session.run(
    'SELECT @@GLOBAL.max_prepared_stmt_count',
    [],
    collectRows({ bytesMax: 100 }),
  );
  return shareStatements(Number(rows.rows[0]?.[0] ?? 0), connectionsTotal);
}

/**
 * Returns the number of prepared statements per session, so that all sessions of the server fit and a fifth
 * is left to others.
 */
export function shareStatements(serverMax: number, connectionsTotal: number): number {
  const share = Math.floor((serverMax * 0.8) / Math.max(1, connectionsTotal));
  return Math.max(STATEMENTS_PER_SESSION_MIN, Math.min(STATEMENTS_PER_SESSION_MAX, share));
}
