import type { AdminPool } from '@rowhouse/mysql';

export interface ServerHolder {
  /**
   * Returns true when this process holds the server in its role for the next `leaseMs`.
   * A lease of another process must have expired.
   */
  hold(serverId: string, leaseMs: number): Promise<boolean>;
  release(serverId: string): Promise<void>;
}

/** Creates leases that give one process at a time a role on a server. */
export function createServerHolder(
  pool: AdminPool,
  { cellId, owner, role }: { readonly cellId: string; readonly owner: string; readonly role: string },
): ServerHolder {
  return {
    hold: (serverId, leaseMs) =>
      pool.transaction(async (session) => {
        // The lock on the server's row serializes the processes that try to get the lease.
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
