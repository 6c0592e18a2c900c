import type { ChangeEntry, ChangeKind } from '@rowhouse/contracts';
import type { AdminSession } from '@rowhouse/mysql';

/** A gateway's place in the cell's change log, and its lease row. */
export interface GatewayChanges {
  /** Where the log ends; 0 when nothing was ever written. */
  readHead(): Promise<number>;
  /** The platform database's clock: milliseconds since 1970. */
  readTimeMs(): Promise<number>;
  /** Entries with `seq > afterSeq` in order. */
  readSince(afterSeq: number, rowsMax: number): Promise<ChangeEntry[]>;
  /** Entries of the last `seconds` in order. */
  readRecent(seconds: number): Promise<ChangeEntry[]>;
  /** Renews the lease and says what was applied: one row, by the platform database's clock. */
  writeLease(lease: GatewayLease): Promise<void>;
  /** After draining: nobody need wait for this gateway any longer. */
  removeLease(gatewayId: string, epoch: number): Promise<void>;
  /** Asks the worker's detector to look at the database. Asking again while a wish stands changes nothing. */
  requestDetection(databaseId: string): Promise<void>;
  /** Asks a worker to repair the accounts of a database. */
  requestRepair(databaseId: string): Promise<void>;
  /** Whether a worker has answered the last `requestRepair`. */
  isRepairHandled(databaseId: string): Promise<boolean>;
}

export interface GatewayLease {
  readonly gatewayId: string;
  /** Grows with every start of this gateway. */
  readonly epoch: number;
  readonly appliedThroughSeq: number;
  /** Databases whose requests may still run on an older snapshot. */
  readonly exceptions: readonly string[];
  readonly address: string;
  readonly leaseMs: number;
}

interface ChangeRow {
  readonly seq: number | string;
  readonly database_id: string;
  readonly kind: ChangeKind;
  readonly version: number | string;
}

const COLUMNS = 'seq, database_id, kind, version';

/** A row of another process under the same id with a later epoch stands: the older process has been replaced. */
const WRITE_LEASE = `
  INSERT INTO gateway_lease (cell_id, gateway_id, epoch, applied_through_seq, exceptions, address, renewed_at, expires_at)
  VALUES (?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND)
  ON DUPLICATE KEY UPDATE
    applied_through_seq = IF(VALUES(epoch) >= epoch, VALUES(applied_through_seq), applied_through_seq),
    exceptions = IF(VALUES(epoch) >= epoch, VALUES(exceptions), exceptions),
    address = IF(VALUES(epoch) >= epoch, VALUES(address), address),
    renewed_at = IF(VALUES(epoch) >= epoch, VALUES(renewed_at), renewed_at),
    expires_at = IF(VALUES(epoch) >= epoch, VALUES(expires_at), expires_at),
    epoch = GREATEST(epoch, VALUES(epoch))`;

export function createGatewayChanges(pool: AdminSession, cellId: string): GatewayChanges {
  return {
    async readHead() {
      const [row] = await pool.rows<{ last_seq: number | string }>('SELECT last_seq FROM change_log_head WHERE cell_id = ?', [cellId]);
      return Number(row?.last_seq ?? 0);
    },
    async readTimeMs() {
      const [row] = await pool.rows<{ time_ms: number | string }>('SELECT ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) AS time_ms');
      return Number(row?.time_ms);
    },
    async readSince(afterSeq, rowsMax) {
      const rows = await pool.rows<ChangeRow>(`SELECT ${COLUMNS} FROM change_log WHERE cell_id = ? AND seq > ? ORDER BY seq LIMIT ?`, [cellId, afterSeq, rowsMax]);
      return rows.map(toEntry);
    },
    async readRecent(seconds) {
      const rows = await pool.rows<ChangeRow>(
        `SELECT ${COLUMNS} FROM change_log WHERE cell_id = ? AND created_at > UTC_TIMESTAMP(3) - INTERVAL ? SECOND ORDER BY seq`,
        [cellId, seconds],
      );
      return rows.map(toEntry);
    },
    async writeLease(lease) {
      await pool.run(WRITE_LEASE, [
        cellId, lease.gatewayId, lease.epoch, lease.appliedThroughSeq, JSON.stringify(lease.exceptions), lease.address, lease.leaseMs * 1_000,
      ]);
    },
    async removeLease(gatewayId, epoch) {
      await pool.run('DELETE FROM gateway_lease WHERE cell_id = ? AND gateway_id = ? AND epoch = ?', [cellId, gatewayId, epoch]);
    },
    async requestDetection(databaseId) {
      await pool.run(
        `INSERT INTO detect_request (cell_id, database_id, requested_at, handled_at) VALUES (?, ?, UTC_TIMESTAMP(3), NULL)
         ON DUPLICATE KEY UPDATE requested_at = VALUES(requested_at)`,
        [cellId, databaseId],
      );
    },
    async requestRepair(databaseId) {
      await pool.run(
        `INSERT INTO repair_request (cell_id, database_id, requested_at, handled_at) VALUES (?, ?, UTC_TIMESTAMP(3), NULL)
         ON DUPLICATE KEY UPDATE requested_at = VALUES(requested_at)`,
        [cellId, databaseId],
      );
    },
    async isRepairHandled(databaseId) {
      const rows = await pool.rows('SELECT database_id FROM repair_request WHERE cell_id = ? AND database_id = ? AND handled_at >= requested_at', [cellId, databaseId]);
      return rows.length > 0;
    },
  };
}

function toEntry(row: ChangeRow): ChangeEntry {
  return { seq: Number(row.seq), database_id: row.database_id, kind: row.kind, version: Number(row.version) };
}
