import type { ChangeEntry, TableRights } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import type { EngineCapabilities, EngineKind } from '@rowhouse/schema-model';
import { toMarks } from '../sql-values.js';
import { createAccountStore, type AccountStore } from './account-store.js';
import { appendDatabaseChange } from '../publish/change-log.js';
import { createSchemaReads, type SchemaReads } from './schema-reads.js';
import {
  toWorkerAccount,
  toWorkerConnectionUser,
  toWorkerDatabase,
  toWorkerServer,
  type Row,
  type WorkerAccount,
  type WorkerConnectionUser,
  type WorkerDatabase,
  type WorkerServer,
} from './worker-records.js';

/**
 * The worker's access to servers, databases, accounts and drafts. Functions that look up a row by its id
 * throw `resource.not_found` if it does not exist.
 */
export interface WorkerDirectory extends AccountStore, SchemaReads {
  readServer(serverId: string): Promise<WorkerServer>;
  listServers(): Promise<WorkerServer[]>;
  /**
   * Returns the engine of the project's oldest database. Returns null if no worker has connected to the
   * server of any of its databases yet.
   */
  readProjectEngine(projectId: string): Promise<EngineKind | null>;
  writeCapabilities(serverId: string, capabilities: EngineCapabilities): Promise<void>;
  readDatabase(databaseId: string): Promise<WorkerDatabase>;
  /** Reads a database and its server in one round trip. */
  readPlace(
    databaseId: string,
  ): Promise<{ readonly database: WorkerDatabase; readonly server: WorkerServer }>;
  listDatabasesBySchema(serverId: string, schemaNames: readonly string[]): Promise<WorkerDatabase[]>;
  /** Marks the creation of the database as failed. Uses `session` if it is given. */
  markProvisionFailed(databaseId: string, session?: AdminSession): Promise<void>;
  /**
   * Records whether the schema was missing at the last check. The time of the first check that found it
   * missing does not change.
   */
  markMissing(databaseId: string, isMissing: boolean): Promise<void>;
  listAccounts(databaseId: string): Promise<WorkerAccount[]>;
  /**
   * Inserts an account unless its row exists. If the task runs twice, both runs therefore use the name and
   * secret of the first.
   */
  ensureAccount(
    account: Omit<WorkerAccount, 'rights'> & { readonly rights: TableRights | null },
  ): Promise<WorkerAccount>;
  deleteAccounts(databaseId: string): Promise<void>;
  /**
   * Increments the version of the database's row and adds an entry to the change log. Gateways then read its
   * accounts again.
   */
  announceAccounts(databaseId: string): Promise<ChangeEntry>;
  listConnectionUsers(databaseId: string): Promise<WorkerConnectionUser[]>;
  listConnectionUsersOfServer(serverId: string): Promise<WorkerConnectionUser[]>;
  /** Records whether the account of a direct connection requires TLS. */
  noteTls(connectionId: string, requiresTls: boolean): Promise<void>;
}

export function createWorkerDirectory(pool: AdminPool, cellId: string): WorkerDirectory {
  async function one<T>(sql: string, id: string, what: string, map: (row: Row) => T): Promise<T> {
    const [row] = await pool.rows<Row>(sql, [id, cellId]);
    if (row === undefined)
      throw new AppError('resource.not_found', {
        detail: `The ${what} does not exist.`,
        internal: `${what} ${id}`,
      });
    return map(row);
  }

  const readServer = (serverId: string): Promise<WorkerServer> =>
    one('SELECT * FROM server WHERE id = ? AND cell_id = ?', serverId, 'server', toWorkerServer);
  const readDatabase = (databaseId: string): Promise<WorkerDatabase> =>
    one(
      'SELECT * FROM tenant_database WHERE id = ? AND cell_id = ?',
      databaseId,
      'database',
      toWorkerDatabase,
    );

  return {
    readServer,
    async listServers() {
      return (
        await pool.rows<Row>(`SELECT * FROM server WHERE cell_id = ? AND state <> 'removed' ORDER BY id`, [
          cellId,
        ])
      ).map(toWorkerServer);
    },
    async readProjectEngine(projectId) {
      const [row] = await pool.rows<{ engine: EngineKind }>(
        `SELECT s.engine FROM tenant_database d JOIN server s ON s.id = d.server_id
         WHERE d.project_id = ? AND d.cell_id = ? AND d.deleted_at IS NULL AND s.capabilities IS NOT NULL ORDER BY d.created_at, d.environment LIMIT 1`,
        [projectId, cellId],
      );
      return row?.engine ?? null;
    },
    async writeCapabilities(serverId, capabilities) {
      await pool.run(
        'UPDATE server SET engine = ?, engine_version = ?, capabilities = ? WHERE id = ? AND cell_id = ?',
        [
          capabilities.engine,
          capabilities.version.slice(0, 64),
          JSON.stringify(capabilities),
          serverId,
          cellId,
        ],
      );
    },
    readDatabase,
    async readPlace(databaseId) {
      const [database, server] = await Promise.all([
        readDatabase(databaseId),
        one(
          'SELECT s.* FROM server s JOIN tenant_database d ON d.server_id = s.id WHERE d.id = ? AND s.cell_id = ?',
          databaseId,
          'database',
          toWorkerServer,
        ),
      ]);
      // The database may have been moved between the two reads.
      return {
        database,
        server: server.id === database.serverId ? server : await readServer(database.serverId),
      };
    },
    async listDatabasesBySchema(serverId, schemaNames) {
      if (schemaNames.length === 0) return [];
      const rows = await pool.rows<Row>(
        `SELECT * FROM tenant_database WHERE cell_id = ? AND server_id = ? AND schema_name IN (${toMarks(schemaNames.length)})`,
        [cellId, serverId, ...schemaNames],
      );
      return rows.map(toWorkerDatabase);
    },
    async markProvisionFailed(databaseId, session = pool) {
      await session.run(
        `UPDATE tenant_database SET provision_state = 'failed' WHERE id = ? AND cell_id = ? AND provision_state = 'pending'`,
        [databaseId, cellId],
      );
    },
    async markMissing(databaseId, isMissing) {
      await pool.run(
        `UPDATE tenant_database SET missing_since = ${isMissing ? 'UTC_TIMESTAMP(3)' : 'NULL'} WHERE id = ? AND cell_id = ? AND (missing_since IS NULL) = ?`,
        [databaseId, cellId, isMissing ? 1 : 0],
      );
    },
    async listAccounts(databaseId) {
      return (
        await pool.rows<Row>('SELECT * FROM database_account WHERE database_id = ? AND cell_id = ?', [
          databaseId,
          cellId,
        ])
      ).map(toWorkerAccount);
    },
    ensureAccount: (account) => ensureAccount(pool, cellId, account),
    ...createAccountStore(pool, cellId),
    async deleteAccounts(databaseId) {
      await pool.run('DELETE FROM database_account WHERE database_id = ? AND cell_id = ?', [
        databaseId,
        cellId,
      ]);
    },
    announceAccounts: (databaseId) =>
      pool.transaction(async (session) => {
        await session.run('UPDATE tenant_database SET version = version + 1 WHERE id = ?', [databaseId]);
        return appendDatabaseChange(session, { cellId, databaseId, kind: 'account' });
      }),
    async listConnectionUsers(databaseId) {
      return (
        await pool.rows<Row>(
          'SELECT c.*, c.previous_until > UTC_TIMESTAMP(3) AS holds_previous FROM connection_user c WHERE c.database_id = ? AND c.cell_id = ?',
          [databaseId, cellId],
        )
      ).map(toWorkerConnectionUser);
    },
    async listConnectionUsersOfServer(serverId) {
      const rows = await pool.rows<Row>(
        `SELECT c.*, c.previous_until > UTC_TIMESTAMP(3) AS holds_previous FROM connection_user c JOIN tenant_database d ON d.id = c.database_id WHERE d.server_id = ? AND c.cell_id = ? AND c.revoked_at IS NULL`,
        [serverId, cellId],
      );
      return rows.map(toWorkerConnectionUser);
    },
    async noteTls(connectionId, requiresTls) {
      await pool.run('UPDATE connection_user SET requires_tls = ? WHERE id = ? AND cell_id = ?', [
        requiresTls ? 1 : 0,
        connectionId,
        cellId,
      ]);
    },
    ...createSchemaReads(pool),
  };
}

async function ensureAccount(
  pool: AdminPool,
  cellId: string,
  account: WorkerAccount,
): Promise<WorkerAccount> {
  await pool.run(
    `INSERT INTO database_account (database_id, kind, rights_hash, cell_id, user_name, secret_sealed, rights, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE user_name = user_name`,
    [
      account.databaseId,
      account.kind,
      account.rightsHash,
      cellId,
      account.userName,
      account.secretSealed,
      account.rights === null ? null : JSON.stringify(account.rights),
    ],
  );
  const [row] = await pool.rows<Row>(
    'SELECT * FROM database_account WHERE database_id = ? AND kind = ? AND rights_hash = ?',
    [account.databaseId, account.kind, account.rightsHash],
  );
  if (row === undefined)
    throw new AppError('internal.defect', {
      internal: `account row of ${account.databaseId}/${account.kind} is missing`,
    });
  return toWorkerAccount(row);
}
