import type { AdminPool } from '@rowhouse/mysql';
import { createServerHolder } from '../server-leases.js';

/**
 * Stores the requests of gateways to inspect a database, and the leases by which one worker at a time
 * monitors a server.
 */
export interface DetectStore {
  /** Requests that a worker inspects the database, as gateways do. */
  request(databaseId: string): Promise<void>;
  listRequested(rowsMax: number): Promise<string[]>;
  markHandled(databaseIds: readonly string[]): Promise<void>;
  /** Returns the databases whose accounts a worker should repair because a gateway has requested it. */
  listRepairs(rowsMax: number): Promise<string[]>;
  markRepaired(databaseId: string): Promise<void>;
  /**
   * Takes or renews the lease for monitoring the server, for the next `leaseMs`. Returns false if another
   * worker has a lease that has not expired.
   */
  holdServer(serverId: string, leaseMs: number): Promise<boolean>;
  releaseServer(serverId: string): Promise<void>;
}

const ROLE = 'detector';

export function createDetectStore(
  pool: AdminPool,
  options: { readonly cellId: string; readonly owner: string },
): DetectStore {
  const { cellId } = options;
  const holder = createServerHolder(pool, { ...options, role: ROLE });
  return {
    async request(databaseId) {
      await pool.run(
        'INSERT INTO detect_request (cell_id, database_id, requested_at, handled_at) VALUES (?, ?, UTC_TIMESTAMP(3), NULL) ON DUPLICATE KEY UPDATE requested_at = VALUES(requested_at)',
        [cellId, databaseId],
      );
    },
    async listRequested(rowsMax) {
      const rows = await pool.rows<{ database_id: string }>(
        'SELECT database_id FROM detect_request WHERE cell_id = ? AND (handled_at IS NULL OR handled_at < requested_at) LIMIT ?',
        [cellId, rowsMax],
      );
      return rows.map((row) => row.database_id);
    },
    async markHandled(databaseIds) {
      for (const databaseId of databaseIds) {
        await pool.run(
          'UPDATE detect_request SET handled_at = UTC_TIMESTAMP(3) WHERE cell_id = ? AND database_id = ?',
          [cellId, databaseId],
        );
      }
    },
    async listRepairs(rowsMax) {
      const rows = await pool.rows<{ database_id: string }>(
        'SELECT database_id FROM repair_request WHERE cell_id = ? AND (handled_at IS NULL OR handled_at < requested_at) LIMIT ?',
        [cellId, rowsMax],
      );
      return rows.map((row) => row.database_id);
    },
    async markRepaired(databaseId) {
      await pool.run(
        'UPDATE repair_request SET handled_at = UTC_TIMESTAMP(3) WHERE cell_id = ? AND database_id = ?',
        [cellId, databaseId],
      );
    },
    holdServer: (serverId, leaseMs) => holder.hold(serverId, leaseMs),
    releaseServer: (serverId) => holder.release(serverId),
  };
}
