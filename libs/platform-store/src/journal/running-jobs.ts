import { MIGRATION_END_STATES, MOVE_END_STATES } from '@rowhouse/contracts';
import type { AdminSession } from '@rowhouse/mysql';

/** The states of migrations that have ended or not started, as a list for IN. */
export const AT_REST_STATES = [...MIGRATION_END_STATES, 'draft', 'queued']
  .map((state) => `'${state}'`)
  .join(',');
/**
 * Conditions for work that blocks other work on a database. It has started and not ended, whether or not a
 * worker holds it at the moment. Each condition applies to the table of that name.
 */
export const AT_WORK = {
  migration: `state NOT IN (${AT_REST_STATES})`,
  database_move: `state NOT IN ('queued',${MOVE_END_STATES.map((state) => `'${state}'`).join(',')})`,
  /** A purge ends with its lease, and any worker may start it again. */
  kept_object: 'outcome IS NULL AND purge_until > UTC_TIMESTAMP(3)',
} as const;

export type WorkKind = keyof typeof AT_WORK;

/**
 * Returns whether one of these kinds of work is in progress. It is a non-locking read. After the row of the
 * database has been locked, it includes everything committed before.
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
