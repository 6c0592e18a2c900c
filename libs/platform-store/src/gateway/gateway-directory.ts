import type { DatabaseRecord, KeyRecord } from '@rowhouse/contracts';
import { AT_REST_STATES } from '../journal/running-jobs.js';
import type { AdminSession } from '@rowhouse/mysql';
import { toAccountRecord, toDatabaseRecord, toKeyRecord } from './gateway-records.js';

/**
 * The functions with which a gateway reads objects. They return null if the object does not exist or was
 * deleted.
 */
export interface GatewayDirectory {
  /**
   * Finds an API key by its HMAC (32 bytes). A revoked key is also returned, and its record states that it is
   * revoked.
   */
  readKey(keyHash: Buffer): Promise<KeyRecord | null>;
  readDatabase(databaseId: string): Promise<DatabaseRecord | null>;
  readDatabaseIdBySlug(docsSlug: string): Promise<string | null>;
  /** Returns the number and the content hash of the published snapshot. */
  readPointer(databaseId: string): Promise<SnapshotPointer | null>;
  readSnapshotBody(contentHash: string): Promise<Buffer | null>;
  /** Returns the snapshot that was prepared for a change but is not published yet. */
  readPrepared(databaseId: string): Promise<SnapshotPointer | null>;
  /** Reports whether a migration of the database is running, so that names may be missing for a moment. */
  isChanging(databaseId: string): Promise<boolean>;
  /** Returns the content hash of any snapshot that the database has had. */
  readSnapshotHash(databaseId: string, number: number): Promise<string | null>;
}

export interface SnapshotPointer {
  readonly number: number;
  readonly contentHash: string;
  /**
   * The remaining time for which requests are paused, in milliseconds. It is infinite while a name passes
   * from one object to another. It is undefined if requests are not paused.
   */
  readonly pauseMs?: number;
}

type Row = Readonly<Record<string, unknown>>;

/** The columns of an API key. Times are stored in UTC, and the time zone of the session is +00:00. */
export const KEY_COLUMNS = `id, cell_id, database_id, lineage_id, scopes, tables, rights_hash, origins, rate, rows_examined_max,
  ROUND(UNIX_TIMESTAMP(expires_at) * 1000) AS expires_ms, ROUND(UNIX_TIMESTAMP(revoked_at) * 1000) AS revoked_ms`;

const READ_KEY = `SELECT ${KEY_COLUMNS} FROM api_key WHERE key_hash = ? AND cell_id = ?`;

/**
 * The columns of `tenant_database` as `d`, its server as `s` and the language model of its project as `m`.
 */
export const DATABASE_COLUMNS = `d.*, ROUND(UNIX_TIMESTAMP(d.moving_until) * 1000) AS moving_until_ms, s.host AS server_host, s.port AS server_port, s.nodes AS server_nodes, s.tls AS server_tls, s.engine AS server_engine,
  s.engine_version AS server_engine_version, s.capabilities AS server_capabilities, s.connections_max AS server_connections_max,
  m.base_url AS model_base_url, m.model AS model_name, m.key_sealed AS model_key_sealed, m.version AS model_version`;
export const DATABASE_TABLES = `tenant_database d JOIN server s ON s.id = d.server_id
  LEFT JOIN project_model m ON m.project_id = d.project_id AND m.cell_id = d.cell_id`;

const READ_DATABASE = `
  SELECT ${DATABASE_COLUMNS}
  FROM ${DATABASE_TABLES}
  WHERE d.id = ? AND d.cell_id = ? AND d.deleted_at IS NULL`;

const READ_POINTER = `
  SELECT snapshot_number, snapshot_hash, names_changing, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), requests_paused_until) AS pause_us
  FROM tenant_database
  WHERE id = ? AND cell_id = ? AND deleted_at IS NULL`;

/** Gateways do not read the account `migrator`, which only workers use. */
const READ_ACCOUNTS = `SELECT kind, rights_hash, user_name, secret_sealed FROM database_account WHERE database_id = ? AND cell_id = ? AND kind <> 'migrator'`;

export function createGatewayDirectory(pool: AdminSession, cellId: string): GatewayDirectory {
  async function first(sql: string, value: string | Buffer): Promise<Row | null> {
    const [row] = await pool.rows<Row>(sql, [value, cellId]);
    return row ?? null;
  }
  return {
    async readKey(keyHash) {
      const row = await first(READ_KEY, keyHash);
      return row === null ? null : toKeyRecord(row);
    },
    async readDatabase(databaseId) {
      const [row, accounts] = await Promise.all([
        first(READ_DATABASE, databaseId),
        pool.rows<Row>(READ_ACCOUNTS, [databaseId, cellId]),
      ]);
      return row === null ? null : toDatabaseRecord(row, accounts.map(toAccountRecord));
    },
    async readDatabaseIdBySlug(docsSlug) {
      const row = await first(
        'SELECT id FROM tenant_database WHERE docs_slug = ? AND cell_id = ? AND deleted_at IS NULL',
        docsSlug,
      );
      return row === null ? null : String(row['id']);
    },
    async readPointer(databaseId) {
      const row = await first(READ_POINTER, databaseId);
      if (row === null) return null;
      const pauseMs =
        Number(row['names_changing']) === 1 ? Number.POSITIVE_INFINITY : Number(row['pause_us'] ?? 0) / 1_000;
      return {
        number: Number(row['snapshot_number']),
        contentHash: String(row['snapshot_hash']),
        ...(pauseMs > 0 ? { pauseMs } : {}),
      };
    },
    async readPrepared(databaseId) {
      const row = await first(
        `SELECT number, content_hash FROM snapshot WHERE database_id = ? AND cell_id = ? AND state = 'prepared' ORDER BY number DESC LIMIT 1`,
        databaseId,
      );
      return row === null
        ? null
        : { number: Number(row['number']), contentHash: String(row['content_hash']) };
    },
    async isChanging(databaseId) {
      return (
        (await first(
          `SELECT id FROM migration WHERE database_id = ? AND cell_id = ? AND state NOT IN (${AT_REST_STATES}) LIMIT 1`,
          databaseId,
        )) !== null
      );
    },
    async readSnapshotHash(databaseId, number) {
      const [row] = await pool.rows<Row>(
        'SELECT content_hash FROM snapshot WHERE database_id = ? AND number = ? AND cell_id = ?',
        [databaseId, number, cellId],
      );
      return row === undefined ? null : String(row['content_hash']);
    },
    async readSnapshotBody(contentHash) {
      const [row] = await pool.rows<{ body: Buffer }>(
        'SELECT body FROM snapshot_content WHERE content_hash = ?',
        [contentHash],
      );
      return row?.body ?? null;
    },
  };
}
