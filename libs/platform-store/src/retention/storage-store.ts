import type { ChangeEntry, PlanName } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
import { appendDatabaseChange } from '../publish/change-log.js';

export interface MeasuredDatabase {
  readonly id: string;
  readonly schemaName: string;
  readonly plan: PlanName;
  readonly bytes: number;
  readonly isFull: boolean;
}

/** The store for the disk usage of databases. */
export interface StorageStore {
  /** Returns the active databases on the server with their last measurements. */
  list(serverId: string): Promise<MeasuredDatabase[]>;
  /**
   * Writes the measured sizes of all databases on a server. Databases whose size has not changed need no
   * update.
   */
  write(serverId: string, sizes: ReadonlyMap<string, number>): Promise<void>;
  /** Records whether the database exceeds its quota, and makes gateways reload its record. */
  setFull(databaseId: string, isFull: boolean): Promise<ChangeEntry>;
}

export function createStorageStore(pool: AdminPool, cellId: string): StorageStore {
  return {
    async list(serverId) {
      const rows = await pool.rows<{
        id: string;
        schema_name: string;
        plan: PlanName;
        storage_bytes: string | number;
        storage_full: number;
      }>(
        `SELECT id, schema_name, plan, storage_bytes, storage_full FROM tenant_database WHERE cell_id = ? AND server_id = ? AND deleted_at IS NULL AND provision_state = 'ready'`,
        [cellId, serverId],
      );
      return rows.map((row) => ({
        id: row.id,
        schemaName: row.schema_name,
        plan: row.plan,
        bytes: Number(row.storage_bytes),
        isFull: Number(row.storage_full) === 1,
      }));
    },
    async write(serverId, sizes) {
      for (const [databaseId, bytes] of sizes)
        await pool.run('UPDATE tenant_database SET storage_bytes = ? WHERE id = ? AND cell_id = ?', [
          bytes,
          databaseId,
          cellId,
        ]);
      await pool.run(
        `UPDATE tenant_database SET storage_measured_at = UTC_TIMESTAMP(3) WHERE server_id = ? AND cell_id = ? AND deleted_at IS NULL AND provision_state = 'ready'`,
        [serverId, cellId],
      );
    },
    setFull: (databaseId, isFull) =>
      pool.transaction(async (session) => {
        await session.run(
          'UPDATE tenant_database SET storage_full = ?, version = version + 1 WHERE id = ? AND cell_id = ?',
          [isFull ? 1 : 0, databaseId, cellId],
        );
        return appendDatabaseChange(session, { cellId, databaseId, kind: 'settings' });
      }),
  };
}
