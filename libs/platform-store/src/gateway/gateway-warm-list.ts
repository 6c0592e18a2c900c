import type { DatabaseRecord, KeyRecord } from '@rowhouse/contracts';
import type { AdminSession } from '@rowhouse/mysql';
import { toAccountRecord, toDatabaseRecord, toKeyRecord } from './gateway-records.js';
import { DATABASE_COLUMNS, DATABASE_TABLES, KEY_COLUMNS } from './gateway-directory.js';
import { toMarks } from '../sql-values.js';

/**
 * The functions with which a starting gateway reads data before it accepts requests. They read hundreds of
 * rows at once, whereas requests read them one by one.
 */
export interface GatewayWarmList {
  /** Returns the databases with the most requests in the last `minutes` minutes, in descending order. */
  listBusiest(minutes: number, rowsMax: number): Promise<string[]>;
  readDatabases(databaseIds: readonly string[]): Promise<DatabaseRecord[]>;
  /** Returns these databases' valid API keys that were used in the last `hours` hours. */
  listUsedKeys(databaseIds: readonly string[], hours: number, rowsMax: number): Promise<UsedKey[]>;
}

export interface UsedKey {
  /** The HMAC of the API key in hexadecimal. */
  readonly keyHash: string;
  readonly record: KeyRecord;
}

type Row = Readonly<Record<string, unknown>>;

export function createGatewayWarmList(pool: AdminSession, cellId: string): GatewayWarmList {
  return {
    async listBusiest(minutes, rowsMax) {
      const rows = await pool.rows<{ database_id: string }>(
        `SELECT database_id FROM usage_minute WHERE cell_id = ? AND minute > UTC_TIMESTAMP() - INTERVAL ? MINUTE
         GROUP BY database_id ORDER BY SUM(requests) DESC LIMIT ?`,
        [cellId, minutes, rowsMax],
      );
      return rows.map((row) => row.database_id);
    },
    async readDatabases(databaseIds) {
      if (databaseIds.length === 0) return [];
      const marks = toMarks(databaseIds.length);
      const [rows, accounts] = await Promise.all([
        pool.rows<Row>(
          `SELECT ${DATABASE_COLUMNS} FROM ${DATABASE_TABLES} WHERE d.id IN (${marks}) AND d.cell_id = ? AND d.deleted_at IS NULL`,
          [...databaseIds, cellId],
        ),
        pool.rows<Row>(
          `SELECT database_id, kind, rights_hash, user_name, secret_sealed FROM database_account WHERE database_id IN (${marks}) AND cell_id = ? AND kind <> 'migrator'`,
          [...databaseIds, cellId],
        ),
      ]);
      return rows.map((row) =>
        toDatabaseRecord(
          row,
          accounts.filter((account) => account['database_id'] === row['id']).map(toAccountRecord),
        ),
      );
    },
    async listUsedKeys(databaseIds, hours, rowsMax) {
      if (databaseIds.length === 0) return [];
      const rows = await pool.rows<Row>(
        `SELECT ${KEY_COLUMNS}, key_hash FROM api_key
         WHERE database_id IN (${toMarks(databaseIds.length)}) AND cell_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > UTC_TIMESTAMP(3))
           AND last_used_at > UTC_TIMESTAMP() - INTERVAL ? HOUR ORDER BY last_used_at DESC LIMIT ?`,
        [...databaseIds, cellId, hours, rowsMax],
      );
      return rows.map((row) => ({
        keyHash: (row['key_hash'] as Buffer).toString('hex'),
        record: toKeyRecord(row),
      }));
    },
  };
}
