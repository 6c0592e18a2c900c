import type { ChangeEntry, ChangeKind } from '@rowhouse/contracts';
import type { AdminSession } from '@rowhouse/mysql';

/** A gateway's access to the change log of its cell, and to its own lease. */
export interface GatewayChanges {
  /** Returns the last sequence number in the log. Returns 0 if the log is empty. */
  readHead(): Promise<number>;
  /** Returns the time of the platform database in milliseconds since 1970. */
  readTimeMs(): Promise<number>;
  /** Returns the entries with `seq > afterSeq`, in order. */
  readSince(afterSeq: number, rowsMax: number): Promise<ChangeEntry[]>;
  /** Returns the entries of the last `seconds` seconds, in order. */
  readRecent(seconds: number): Promise<ChangeEntry[]>;
  /**
   * Renews the lease and records which entries were applied. It writes one row, with the time of the platform
   * database.
   */
  writeLease(lease: GatewayLease): Promise<void>;
  /** Removes the lease when the gateway has finished its requests, so that no change waits for it. */
  removeLease(gatewayId: string, epoch: number): Promise<void>;
  /** Requests that a worker inspects the database. While a request is open, another one has no effect. */
  requestDetection(databaseId: string): Promise<void>;
  /** Requests that a worker repairs the accounts of the database. */
  requestRepair(databaseId: string): Promise<void>;
  /** Reports whether a worker has handled the last `requestRepair`. */
  isRepairHandled(databaseId: string): Promise<boolean>;
}

export interface GatewayLease {
  readonly gatewayId: string;
  /** A number that increases each time this gateway starts. */
  readonly epoch: number;
  readonly appliedThroughSeq: number;
  /** The databases for which a request may still use an older snapshot. */
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

/**
 * The statement that writes the lease. If the row has the same id and a later epoch, a newer process has
 * replaced this one.
 */
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
      const [row] = await pool.rows<{ last_seq: number | string }>(
        'SELECT last_seq FROM change_log_head WHERE cell_id = ?',
        [cellId],
      );
      return Number(row?.last_seq ?? 0);
    },
    async readTimeMs() {
      const [row] = await pool.rows<{ time_ms: number | string }>(
        'SELECT ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) AS time_ms',
      );
      return Number(row?.time_ms);
    },
    async readSince(afterSeq, rowsMax) {
      const rows = await pool.rows<ChangeRow>(
        `SELECT ${COLUMNS} FROM change_log WHERE cell_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
        [cellId, afterSeq, rowsMax],
      );
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
        cellId,
        lease.gatewayId,
        lease.epoch,
        lease.appliedThroughSeq,
        JSON.stringify(lease.exceptions),
        lease.address,
        lease.leaseMs * 1_000,
      ]);
    },
    async removeLease(gatewayId, epoch) {
      await pool.run('DELETE FROM gateway_lease WHERE cell_id = ? AND gateway_id = ? AND epoch = ?', [
        cellId,
        gatewayId,
        epoch,
      ]);
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
      const rows = await pool.rows(
        'SELECT database_id FROM repair_request WHERE cell_id = ? AND database_id = ? AND handled_at >= requested_at',
        [cellId, databaseId],
      );
      return rows.length > 0;
    },
  };
}

function toEntry(row: ChangeRow): ChangeEntry {
  return { seq: Number(row.seq), database_id: row.database_id, kind: row.kind, version: Number(row.version) };
}
