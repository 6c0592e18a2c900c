import { MIGRATION_END_STATES, MOVE_END_STATES } from '@rowhouse/contracts';
import type { AdminSession } from '@rowhouse/mysql';

/** The states of migrations that have ended or have not started, as a list for `IN`. */
export const AT_REST_STATES = [...MIGRATION_END_STATES, 'draft', 'queued']
  .map((state) => `'${state}'`)
  .join(',');
/**
 * SQL conditions for work that blocks other work on the same database. It has started and not ended, whether
 * or not a worker currently has it. The key of each condition is the table to which it applies.
 */
export const AT_WORK = {
  migration: `state NOT IN (${AT_REST_STATES})`,
  database_move: `state NOT IN ('queued',${MOVE_END_STATES.map((state) => `'${state}'`).join(',')})`,
  /** A purge is considered ended when its lease ends. Any worker may then start it again. */
  kept_object: 'outcome IS NULL AND purge_until > UTC_TIMESTAMP(3)',
} as const;

export type WorkKind = keyof typeof AT_WORK;

/**
 * Reports whether work of one of these kinds is in progress. It reads without a lock. If the row of the
 * database is already locked, the read sees everything that was committed before.
 */
export async function isRunning(
  session: AdminSession,
  databaseId: string,
  kinds: readonly WorkKind[],
): Promise<boolean> {
  for (const kind of kinds) {
    const found = await session.rows(
      `SELECT id FROM ${kind} WHERE database_id = ? AND ${AT_WORK[kind]} LIMIT 1`,
      [databaseId],
    );
    if (found.length > 0) return true;
  }
  return false;
}
