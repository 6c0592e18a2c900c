import type { ChangeEntry } from '@rowhouse/contracts';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import { appendChange } from '../publish/change-log.js';
import { assertToken } from '../publish/snapshot-publisher.js';
import type { ClaimedMigration } from './migration-journal.js';

export interface StartedPause {
  readonly entry: ChangeEntry;
  /**
   * Whether an earlier run was interrupted while a name passed from one object to another. The pause must
   * then continue until the new names are published.
   */
  readonly wasChanging: boolean;
}

/**
 * Pauses all requests of a database. The pauses are stored in `tenant_database`, with the time of the
 * platform database. Each write throws LeaseLostError if the worker no longer has the migration.
 */
export interface RequestPauses {
  /**
   * Pauses requests for `pauseMs`, or extends the current pause. Returns null if the database was deleted or
   * is being moved.
   */
  begin(migration: ClaimedMigration, pauseMs: number): Promise<StartedPause | null>;
  /**
   * Extends the pause until it is ended with `lift`. Returns false and changes nothing if the pause is
   * already over.
   */
  keepPaused(migration: ClaimedMigration): Promise<boolean>;
  /** Ends the pause. Returns null if requests are not paused. */
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
