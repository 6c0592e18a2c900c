import type { ChangeEntry } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
import { AT_REST_STATES } from '../journal/running-jobs.js';
import { appendChange } from '../publish/change-log.js';

/** The size of a value index. The values themselves are stored in the tenant's database. */
export interface ValueIndexSize {
  readonly columns: number;
  readonly values: number;
  /** The size of all values in UTF-8 bytes. */
  readonly bytes: number;
}

export interface ClaimedValueIndex {
  readonly databaseId: string;
  /** The version of the index. It is 0 before the index is first built. */
  readonly version: number;
  /** Whether the previous update did not complete, so that its writes were not announced. */
  readonly isUnfinished: boolean;
}

/**
 * The worker's access to the table `value_index`, which contains the indexes to update and the workers that
 * update them. A claimed row becomes due again at the end of the lease, so that another worker continues
 * after a crash.
 */
export interface ValueIndexJournal {
  /**
   * Returns the rows that are due and have no valid lease. Databases with a running schema change are
   * omitted.
   */
  listDue(rowsMax: number): Promise<string[]>;
  /** Claims an index. Returns null if another worker was faster. */
  claim(databaseId: string, leaseMs: number): Promise<ClaimedValueIndex | null>;
  /**
   * Completes the update. If `size` is null, nothing has changed. Otherwise, the version is incremented and a
   * change log entry is added.
   */
  finish(
    claimed: ClaimedValueIndex,
    size: ValueIndexSize | null,
    tookMs: number,
  ): Promise<ChangeEntry | null>;
  /** Schedules another attempt after an error. The update is marked as not completed. */
  giveBack(claimed: ClaimedValueIndex, delayMs: number): Promise<void>;
  /** Makes an existing index due after `delayMs`, unless it is due earlier. */
  want(databaseId: string, delayMs: number): Promise<void>;
  remove(databaseId: string): Promise<void>;
}

const DUE = `v.due_at <= UTC_TIMESTAMP(3) AND (v.lease_expires_at IS NULL OR v.lease_expires_at <= UTC_TIMESTAMP(3))`;
const LIST_DUE = `
  SELECT v.database_id FROM value_index v JOIN tenant_database d ON d.id = v.database_id
  WHERE v.cell_id = ? AND ${DUE} AND d.deleted_at IS NULL AND d.provision_state = 'ready' AND d.location_state = 'live'
    AND NOT EXISTS (SELECT 1 FROM migration m WHERE m.database_id = v.database_id AND m.state NOT IN (${AT_REST_STATES}))
  ORDER BY v.due_at LIMIT ?`;
// The assignments that end the lease. They are evaluated from left to right, so that a request which arrived
// during the update remains.
const END = `due_at = IF(due_at = lease_expires_at, NULL, due_at), lease_owner = NULL, lease_expires_at = NULL, checked_at = UTC_TIMESTAMP(3)`;

export function createValueIndexJournal(
  pool: AdminPool,
  options: { readonly cellId: string; readonly owner: string },
): ValueIndexJournal {
  const { cellId, owner } = options;
  return {
    async listDue(rowsMax) {
      return (await pool.rows<{ database_id: string }>(LIST_DUE, [cellId, rowsMax])).map(
        (row) => row.database_id,
      );
    },
    async claim(databaseId, leaseMs) {
      const [row] = await pool.rows<{ version: number | string; lease_owner: string | null }>(
        'SELECT version, lease_owner FROM value_index WHERE database_id = ?',
        [databaseId],
      );
      if (row === undefined) return null;
      const { affectedRows } = await pool.run(
        `UPDATE value_index v SET v.lease_owner = ?, v.lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, v.due_at = v.lease_expires_at
         WHERE v.database_id = ? AND v.cell_id = ? AND v.version = ? AND v.lease_owner <=> ? AND ${DUE}`,
        [owner, leaseMs * 1_000, databaseId, cellId, row.version, row.lease_owner],
      );
      return affectedRows === 0
        ? null
        : { databaseId, version: Number(row.version), isUnfinished: row.lease_owner !== null };
    },
    async finish({ databaseId, version }, size, tookMs) {
      if (size === null) {
        await pool.run(
          `UPDATE value_index SET ${END}, took_ms = ? WHERE database_id = ? AND lease_owner = ?`,
          [Math.round(tookMs), databaseId, owner],
        );
        return null;
      }
      return pool.transaction(async (session) => {
        const { affectedRows } = await session.run(
          `UPDATE value_index SET ${END}, took_ms = ?, version = version + 1, columns_count = ?, values_count = ?, bytes = ?
           WHERE database_id = ? AND lease_owner = ? AND version = ?`,
          [Math.round(tookMs), size.columns, size.values, size.bytes, databaseId, owner, version],
        );
        return affectedRows === 0
          ? null
          : appendChange(session, { cellId, databaseId, kind: 'values', version: version + 1 });
      });
    },
    async giveBack({ databaseId }, delayMs) {
      await pool.run(
        'UPDATE value_index SET due_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, lease_expires_at = NULL WHERE database_id = ? AND lease_owner = ?',
        [delayMs * 1_000, databaseId, owner],
      );
    },
    async want(databaseId, delayMs) {
      await pool.run(
        'UPDATE value_index SET due_at = LEAST(IFNULL(IF(due_at = lease_expires_at, NULL, due_at), UTC_TIMESTAMP(3) + INTERVAL 1 DAY), UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND) WHERE database_id = ? AND cell_id = ?',
        [delayMs * 1_000, databaseId, cellId],
      );
    },
    async remove(databaseId) {
      await pool.run('DELETE FROM value_index WHERE database_id = ? AND cell_id = ?', [databaseId, cellId]);
    },
  };
}
