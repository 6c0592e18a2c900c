import type { ChangeEntry } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
import { AT_REST_STATES } from '../at-rest-states.js';
import { appendChange } from '../publish/append-change.js';

/** What a value index came to; the values themselves stay with the tenant's rows. */
export interface ValueIndexSize {
  readonly columns: number;
  readonly values: number;
  /** Of all values, as UTF-8. */
  readonly bytes: number;
}

export interface ClaimedValueIndex {
  readonly databaseId: string;
  /** 0: it was never built. */
  readonly version: number;
  /** Whoever was at it before did not come to an end: what it wrote was told to nobody. */
  readonly isUnfinished: boolean;
}

/**
 * The worker's half of the `value_index` table: which databases want their index compared with their rows, and who is at
 * it. A claim makes the row due again at its own end, so that what a dead worker left lying is taken up.
 */
export interface ValueIndexJournal {
  /** Due, not at work under a lease, and of no database whose schema is being changed. */
  listDue(rowsMax: number): Promise<string[]>;
  /** Null when another worker was faster. */
  claim(databaseId: string, leaseMs: number): Promise<ClaimedValueIndex | null>;
  /** `size` null: nothing has changed since the last time. Otherwise the new version and its entry in the change log. */
  finish(claimed: ClaimedValueIndex, size: ValueIndexSize | null, tookMs: number): Promise<ChangeEntry | null>;
  /** After a fault: again in a while, as something unfinished. */
  giveBack(claimed: ClaimedValueIndex, delayMs: number): Promise<void>;
  /** Due after `delayMs`, unless it is sooner, where there is an index at all. */
  want(databaseId: string, delayMs: number): Promise<void>;
  remove(databaseId: string): Promise<void>;
}

const DUE = `v.due_at <= UTC_TIMESTAMP(3) AND (v.lease_expires_at IS NULL OR v.lease_expires_at <= UTC_TIMESTAMP(3))`;
const LIST_DUE = `
  SELECT v.database_id FROM value_index v JOIN tenant_database d ON d.id = v.database_id
  WHERE v.cell_id = ? AND ${DUE} AND d.deleted_at IS NULL AND d.provision_state = 'ready' AND d.location_state = 'live'
    AND NOT EXISTS (SELECT 1 FROM migration m WHERE m.database_id = v.database_id AND m.state NOT IN (${AT_REST_STATES}))
  ORDER BY v.due_at LIMIT ?`;
// Assigned from left to right: what came while this one was at work is kept.
const END = `due_at = IF(due_at = lease_expires_at, NULL, due_at), lease_owner = NULL, lease_expires_at = NULL, checked_at = UTC_TIMESTAMP(3)`;

export function createValueIndexJournal(pool: AdminPool, options: { readonly cellId: string; readonly owner: string }): ValueIndexJournal {
  const { cellId, owner } = options;
  return {
    async listDue(rowsMax) {
      return (await pool.rows<{ database_id: string }>(LIST_DUE, [cellId, rowsMax])).map((row) => row.database_id);
    },
    async claim(databaseId, leaseMs) {
      const [row] = await pool.rows<{ version: number | string; lease_owner: string | null }>('SELECT version, lease_owner FROM value_index WHERE database_id = ?', [databaseId]);
      if (row === undefined) return null;
      const { affectedRows } = await pool.run(
        `UPDATE value_index v SET v.lease_owner = ?, v.lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, v.due_at = v.lease_expires_at
         WHERE v.database_id = ? AND v.cell_id = ? AND v.version = ? AND v.lease_owner <=> ? AND ${DUE}`,
        [owner, leaseMs * 1_000, databaseId, cellId, row.version, row.lease_owner],
      );
      return affectedRows === 0 ? null : { databaseId, version: Number(row.version), isUnfinished: row.lease_owner !== null };
    },
    async finish({ databaseId, version }, size, tookMs) {
      if (size === null) {
        await pool.run(`UPDATE value_index SET ${END}, took_ms = ? WHERE database_id = ? AND lease_owner = ?`, [Math.round(tookMs), databaseId, owner]);
        return null;
      }
      return pool.transaction(async (session) => {
        const { affectedRows } = await session.run(
          `UPDATE value_index SET ${END}, took_ms = ?, version = version + 1, columns_count = ?, values_count = ?, bytes = ?
           WHERE database_id = ? AND lease_owner = ? AND version = ?`,
          [Math.round(tookMs), size.columns, size.values, size.bytes, databaseId, owner, version],
        );
        return affectedRows === 0 ? null : appendChange(session, { cellId, databaseId, kind: 'values', version: version + 1 });
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
