import type { ChangeEntry } from '@rowhouse/contracts';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import { appendChange } from '../publish/change-log.js';
import { assertToken } from '../publish/snapshot-publisher.js';
import type { ClaimedMigration } from './migration-journal.js';

export interface StartedPause {
  readonly entry: ChangeEntry;
  /**
   * Whether an earlier run was interrupted while names changed their meaning. The pause must not end before
   * the names are published.
   */
  readonly wasChanging: boolean;
}

/**
 * The pauses of all requests of a database in `tenant_database`, with the time of the platform database.
 * Each write requires the migration's lease and throws LeaseLostError without it.
 */
export interface RequestPauses {
  /**
   * Pauses requests for `pauseMs`. An existing pause is extended.
   * Returns null when the database is deleted or being moved.
   */
  begin(migration: ClaimedMigration, pauseMs: number): Promise<StartedPause | null>;
  /** Extends the pause until it is lifted. Returns false, without any change, when it is over. */
  keepPaused(migration: ClaimedMigration): Promise<boolean>;
  /** Ends the pause. Returns null if none exists. */
  lift(migration: ClaimedMigration): Promise<ChangeEntry | null>;
}

export function createRequestPauses(
  pool: AdminPool,
  options: { readonly cellId: string; readonly owner: string },
): RequestPauses {
  const { cellId, owner } = options;

  function assertOwned(session: AdminSession, { id, fencingToken }: ClaimedMigration): Promise<void> {
    return assertToken(session, { id, owner, fencingToken });
  }

  async function update(
    session: AdminSession,
    databaseId: string,
    assignments: string,
    where: string,
    values: readonly number[] = [],
  ): Promise<boolean> {
    const sql = `UPDATE tenant_database SET ${assignments}, version = version + 1 WHERE id = ? AND cell_id = ? AND ${where}`;
    return (await session.run(sql, [...values, databaseId, cellId])).affectedRows > 0;
  }

  function announce(session: AdminSession, databaseId: string): Promise<ChangeEntry> {
    return appendChange(session, { cellId, databaseId, kind: 'pause', version: 0 });
  }

  return {
    begin: (migration, pauseMs) =>
      pool.transaction(async (session) => {
        await assertOwned(session, migration);
        const { databaseId } = migration;
        const isPaused = await update(
          session,
          databaseId,
          'requests_paused_until = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND',
          "location_state <> 'moving' AND deleted_at IS NULL",
          [pauseMs * 1_000],
        );
        if (!isPaused) return null;
        const [row] = await session.rows<{ names_changing: number }>(
          'SELECT names_changing FROM tenant_database WHERE id = ?',
          [databaseId],
        );
        return { entry: await announce(session, databaseId), wasChanging: Number(row?.names_changing) === 1 };
      }),
    keepPaused: (migration) =>
      pool.transaction(async (session) => {
        await assertOwned(session, migration);
        return update(
          session,
          migration.databaseId,
          'names_changing = 1',
          '(names_changing = 1 OR requests_paused_until > UTC_TIMESTAMP(3)) AND deleted_at IS NULL',
        );
      }),
    lift: (migration) =>
      pool.transaction(async (session) => {
        await assertOwned(session, migration);
        const { databaseId } = migration;
        const isLifted = await update(
          session,
          databaseId,
          'requests_paused_until = NULL, names_changing = 0',
          '(requests_paused_until IS NOT NULL OR names_changing = 1)',
        );
        return isLifted ? announce(session, databaseId) : null;
      }),
  };
}
