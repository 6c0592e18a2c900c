import { MOVE_END_STATES } from '@rowhouse/contracts';
import type { AdminSession } from '@rowhouse/mysql';
import { AT_REST_STATES } from '../at-rest-states.js';

/** What keeps other work off a database: begun and not ended, whether or not a worker holds it at the moment. Conditions on the table of that name. */
export const AT_WORK = {
  migration: `state NOT IN (${AT_REST_STATES})`,
  database_move: `state NOT IN ('queued',${MOVE_END_STATES.map((state) => `'${state}'`).join(',')})`,
  /** A purge ends with its lease: what it is at may be begun anew by anybody. */
  kept_object: 'outcome IS NULL AND purge_until > UTC_TIMESTAMP(3)',
} as const;

export type WorkKind = keyof typeof AT_WORK;

/** A plain read: behind a lock of the database's row it sees what was committed up to there. */
export async function isAtWork(session: AdminSession, databaseId: string, kinds: readonly WorkKind[]): Promise<boolean> {
  for (const kind of kinds) {
    const found = await session.rows(`SELECT id FROM ${kind} WHERE database_id = ? AND ${AT_WORK[kind]} LIMIT 1`, [databaseId]);
    if (found.length > 0) return true;
  }
  return false;
}
