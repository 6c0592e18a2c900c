import { DEADLOCK } from '@rowhouse/errors';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';

/**
 * Leases for connections to a database server that a gateway opens in addition to its guaranteed minimum. All
 * gateways share the maximum in the server's row.
 */
export interface ServerLeases {
  /**
   * Requests `requestedCount` connections and returns how many were granted. The number may be smaller, or
   * zero. A repeated request replaces the lease.
   */
  lease(serverId: string, requestedCount: number, leaseMs: number): Promise<number>;
  /** Releases all leases of this gateway. */
  releaseAll(): Promise<void>;
}

const ROLE = 'gateway';

const LIVE = `l.server_id = s.id AND l.role = '${ROLE}' AND l.expires_at > UTC_TIMESTAMP(3)`;
const LEFT_BY_OTHERS = `GREATEST(0, CAST(s.connections_max AS SIGNED) - COALESCE((SELECT SUM(l.connections) FROM server_lease l WHERE l.cell_id = s.cell_id AND ${LIVE} AND l.holder <> ?), 0))`;
const OWN = `COALESCE((SELECT l.connections FROM server_lease l WHERE l.cell_id = s.cell_id AND ${LIVE} AND l.holder = ?), 0)`;

/**
 * The single statement that takes connections. It takes only connections that other active leases leave free,
 * and at most half of these, so that the first gateway does not take all of them.
 */
const TAKE = `
  INSERT INTO server_lease (cell_id, server_id, role, holder, fencing_token, connections, expires_at)
  SELECT cell_id, id, '${ROLE}', ?, 1, LEAST(?, left_by_others, own + CEIL(GREATEST(0, left_by_others - own) / 2)), UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
  FROM (SELECT s.cell_id, s.id, ${LEFT_BY_OTHERS} AS left_by_others, ${OWN} AS own FROM server s WHERE s.id = ? AND s.cell_id = ?) share
  ON DUPLICATE KEY UPDATE fencing_token = fencing_token + 1, connections = VALUES(connections), expires_at = VALUES(expires_at)`;

export function createServerLeases(
  pool: AdminSession,
  options: { readonly cellId: string; readonly holder: string },
): ServerLeases {
  const { cellId, holder } = options;
  return {
    async lease(serverId, requestedCount, leaseMs) {
      const take = (): Promise<unknown> =>
        pool.run(TAKE, [holder, requestedCount, leaseMs * 1_000, holder, holder, serverId, cellId]);
      // If two gateways read each other's rows, the database may report a deadlock. The statement is then
      // repeated once.
      await take().catch((error: unknown) =>
        (error as { errno?: unknown }).errno === DEADLOCK ? take() : Promise.reject(error),
      );
      const [row] = await pool.rows<{ connections: number }>(
        'SELECT connections FROM server_lease WHERE cell_id = ? AND server_id = ? AND role = ? AND holder = ?',
        [cellId, serverId, ROLE, holder],
      );
      return Number(row?.connections ?? 0);
    },
    async releaseAll() {
      await pool.run('DELETE FROM server_lease WHERE cell_id = ? AND role = ? AND holder = ?', [
        cellId,
        ROLE,
        holder,
      ]);
    },
  };
}

interface ServerHolder {
  /**
   * Takes or renews this process's role for the server, for the next `leaseMs`. Returns false if another
   * process has a lease that has not expired.
   */
  hold(serverId: string, leaseMs: number): Promise<boolean>;
  release(serverId: string): Promise<void>;
}

/** Creates leases by which only one process at a time has a role for a server. */
export function createServerHolder(
  pool: AdminPool,
  { cellId, owner, role }: { readonly cellId: string; readonly owner: string; readonly role: string },
): ServerHolder {
  return {
    hold: (serverId, leaseMs) =>
      pool.transaction(async (session) => {
        // Locks the row of the server, so that processes request the lease one after the other.
        await session.rows('SELECT id FROM server WHERE id = ? FOR UPDATE', [serverId]);
        const others = await session.rows(
          'SELECT holder FROM server_lease WHERE cell_id = ? AND server_id = ? AND role = ? AND holder <> ? AND expires_at > UTC_TIMESTAMP(3)',
          [cellId, serverId, role, owner],
        );
        if (others.length > 0) return false;
        await session.run(
          'DELETE FROM server_lease WHERE cell_id = ? AND server_id = ? AND role = ? AND holder <> ?',
          [cellId, serverId, role, owner],
        );
        await session.run(
          `INSERT INTO server_lease (cell_id, server_id, role, holder, fencing_token, connections, expires_at)
           VALUES (?, ?, ?, ?, 1, 1, UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND)
           ON DUPLICATE KEY UPDATE fencing_token = fencing_token + 1, expires_at = VALUES(expires_at)`,
          [cellId, serverId, role, owner, leaseMs * 1_000],
        );
        return true;
      }),
    async release(serverId) {
      await pool.run(
        'DELETE FROM server_lease WHERE cell_id = ? AND server_id = ? AND role = ? AND holder = ?',
        [cellId, serverId, role, owner],
      );
    },
  };
}
