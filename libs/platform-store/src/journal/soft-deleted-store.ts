import type { SoftDeletedDefinition } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
import { readJson } from '../sql-values.js';
import { isRunning } from './running-jobs.js';

/** A dropped table or column that can still be restored. */
export interface SoftDeletedRow {
  readonly id: string;
  readonly databaseId: string;
  readonly kind: 'table' | 'column';
  readonly tableName: string;
  readonly keptName: string;
}

export interface NewSoftDeletedObject extends SoftDeletedRow {
  readonly migrationId: string;
  readonly step: number;
  readonly columnName: string | null;
  readonly definition: SoftDeletedDefinition;
  readonly hours: number;
}

/** The worker's access to the table `kept_object`, which contains soft-deleted objects. */
export interface SoftDeletedStore {
  /**
   * Inserts a soft-deleted object unless its row exists. If a worker continues after another one, it must not
   * replace the definition with that of a partly removed object.
   */
  keep(object: NewSoftDeletedObject): Promise<void>;
  /** Returns the definition that is stored for this name. Returns null if no definition is stored. */
  readDefinition(databaseId: string, retainedName: string): Promise<SoftDeletedDefinition | null>;
  /** Removes an object's row if the object was not soft-deleted in the end. */
  forget(databaseId: string, retainedName: string): Promise<void>;
  markRestored(id: string): Promise<void>;
  /** Returns the objects whose retention period is over, with the oldest first. */
  listExpired(rowsMax: number): Promise<SoftDeletedRow[]>;
  /**
   * Takes a lease on the object in order to purge it. While the lease is valid, no migration or move of its
   * database can start. Returns false if a migration or move is in progress, if another worker has the lease,
   * or if the object is no longer soft-deleted.
   */
  claimPurge(object: SoftDeletedRow, leaseMs: number): Promise<boolean>;
  /** Renews the lease. Returns false if the lease was lost. */
  beatPurge(object: SoftDeletedRow, leaseMs: number): Promise<boolean>;
  /**
   * Releases the lease. `isRemoved` reports whether the object was dropped. Returns false if the lease was
   * already lost.
   */
  endPurge(object: SoftDeletedRow, isRemoved: boolean): Promise<boolean>;
}

interface Row {
  id: string;
  database_id: string;
  kind: string;
  table_name: string;
  kept_name: string;
}

export function createSoftDeletedStore(
  pool: AdminPool,
  options: { readonly cellId: string; readonly owner: string },
): SoftDeletedStore {
  const { cellId, owner } = options;

  async function update(
    object: SoftDeletedRow,
    assignments: string,
    values: readonly number[] = [],
  ): Promise<boolean> {
    const { affectedRows } = await pool.run(
      `UPDATE kept_object SET ${assignments} WHERE id = ? AND outcome IS NULL AND purge_owner = ?`,
      [...values, object.id, owner],
    );
    return affectedRows > 0;
  }

  return {
    async keep(object) {
      await pool.run(
        `INSERT INTO kept_object (id, cell_id, database_id, migration_id, step, kind, table_name, column_name, kept_name, definition, kept_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL ? HOUR)
         ON DUPLICATE KEY UPDATE id = kept_object.id`,
        [
          object.id,
          cellId,
          object.databaseId,
          object.migrationId,
          object.step,
          object.kind,
          object.tableName,
          object.columnName,
          object.keptName,
          JSON.stringify(object.definition),
          object.hours,
        ],
      );
    },
    async forget(databaseId, retainedName) {
      await pool.run('DELETE FROM kept_object WHERE database_id = ? AND kept_name = ? AND outcome IS NULL', [
        databaseId,
        retainedName,
      ]);
    },
    async readDefinition(databaseId, retainedName) {
      const [row] = await pool.rows<{ definition: string }>(
        'SELECT definition FROM kept_object WHERE database_id = ? AND kept_name = ?',
        [databaseId, retainedName],
      );
      return row === undefined ? null : readJson<SoftDeletedDefinition>(row.definition);
    },
    async markRestored(id) {
      await pool.run(
        `UPDATE kept_object SET outcome = 'restored', ended_at = UTC_TIMESTAMP(3) WHERE id = ? AND cell_id = ? AND outcome IS NULL`,
        [id, cellId],
      );
    },
    async listExpired(rowsMax) {
      const rows = await pool.rows<Row>(
        'SELECT id, database_id, kind, table_name, kept_name FROM kept_object WHERE cell_id = ? AND outcome IS NULL AND expires_at < UTC_TIMESTAMP(3) ORDER BY expires_at LIMIT ?',
        [cellId, rowsMax],
      );
      return rows.map((row) => ({
        id: row.id,
        databaseId: row.database_id,
        kind: row.kind === 'table' ? 'table' : 'column',
        tableName: row.table_name,
        keptName: row.kept_name,
      }));
    },
    claimPurge: (object, leaseMs) =>
      pool.transaction(async (session) => {
        // Claims of migrations and moves lock the same row, so none of them can start at the same time as a
        // purge.
        await session.rows('SELECT id FROM tenant_database WHERE id = ? FOR UPDATE', [object.databaseId]);
        if (await isRunning(session, object.databaseId, ['migration', 'database_move'])) return false;
        const { affectedRows } = await session.run(
          `UPDATE kept_object SET purge_owner = ?, purge_until = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
           WHERE id = ? AND outcome IS NULL AND (purge_until IS NULL OR purge_until < UTC_TIMESTAMP(3))`,
          [owner, leaseMs * 1_000, object.id],
        );
        return affectedRows > 0;
      }),
    beatPurge: (object, leaseMs) =>
      update(object, 'purge_until = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND', [leaseMs * 1_000]),
    endPurge: (object, isRemoved) =>
      update(
        object,
        `purge_until = NULL${isRemoved ? `, outcome = 'purged', ended_at = UTC_TIMESTAMP(3)` : ''}`,
      ),
  };
}
