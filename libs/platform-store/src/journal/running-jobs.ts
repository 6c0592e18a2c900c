import { MIGRATION_END_STATES, MOVE_END_STATES } from '@rowhouse/contracts';
import type { AdminSession } from '@rowhouse/mysql';

/** The states of migrations that have ended or not started, as a list for IN. */
export const AT_REST_STATES = [...MIGRATION_END_STATES, 'draft', 'queued']
  .map((state) => `'${state}'`)
  .join(',');
/**
 * Conditions for work that blocks other work on a database. Such work has started and not ended, whether or
 * not a worker holds it at the moment. Each condition applies to the table that is its key.
 */
export const AT_WORK = {
  migration: `state NOT IN (${AT_REST_STATES})`,
  database_move: `state NOT IN ('queued',${MOVE_END_STATES.map((state) => `'${state}'`).join(',')})`,
  /** A purge counts as ended when its lease ends, and any worker may start it again. */
  kept_object: 'outcome IS NULL AND purge_until > UTC_TIMESTAMP(3)',
} as const;

export type WorkKind = keyof typeof AT_WORK;

/**
 * Returns whether one of these kinds of work is in progress. This is a non-locking read. Once the row of the
 * database is locked, the read includes everything that was committed before the lock.
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
