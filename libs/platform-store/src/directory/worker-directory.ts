import type { ChangeEntry, MigrationPlan, TableRights } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { SoftDeletedObject, KeyUse, RenameHint } from '@rowhouse/ddl-plan';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import type { EngineCapabilities, EngineKind } from '@rowhouse/schema-model';
import { readJson } from '../json-column.js';
import { toMarks } from '../place-marks.js';
import { createAccountStore, type AccountId } from './account-store.js';
import { appendChange } from '../publish/append-change.js';
import {
  toWorkerAccount,
  toWorkerConnectionUser,
  toWorkerDatabase,
  toWorkerServer,
  type AccountWithSchema,
  type Row,
  type WorkerAccount,
  type WorkerConnectionUser,
  type WorkerDatabase,
  type WorkerServer,
} from './worker-records.js';

/** The requested change of one draft revision, or the earlier revision that it restores. */
export interface RevisionText {
  readonly revision: number;
  readonly statements: string;
  readonly restores: number | null;
  /**
   * States whether the text describes the whole schema or a change to it.
   * It is null for revisions of older versions.
   */
  readonly mode: 'replace' | 'apply' | null;
  /** The renames that the author declared in addition to the text. */
  readonly renames: readonly RenameHint[];
}

/** A deploy or revert that ended before it was complete. */
export interface BrokenRun {
  readonly migrationId: string;
  readonly revertsId: string | null;
  readonly plan: MigrationPlan;
  /** The statements that were started, in order. */
  readonly steps: readonly {
    readonly isDone: boolean;
    readonly statement: string;
    readonly checkpoint: Readonly<Record<string, unknown>> | null;
  }[];
}

/**
 * The lookups and updates of the worker for servers, databases, accounts and drafts.
 * Lookups by id throw `resource.not_found`.
 */
export interface WorkerDirectory {
  readServer(serverId: string): Promise<WorkerServer>;
  listServers(): Promise<WorkerServer[]>;
  /** The engine of the project's oldest database; null if it has none on a server that was reached. */
  readProjectEngine(projectId: string): Promise<EngineKind | null>;
  writeCapabilities(serverId: string, capabilities: EngineCapabilities): Promise<void>;
  readDatabase(databaseId: string): Promise<WorkerDatabase>;
  /** Reads a database and its server in one round trip. */
  readPlace(
    databaseId: string,
  ): Promise<{ readonly database: WorkerDatabase; readonly server: WorkerServer }>;
  listDatabasesBySchema(serverId: string, schemaNames: readonly string[]): Promise<WorkerDatabase[]>;
  /** Uses `session` when it is given. */
  markProvisionFailed(databaseId: string, session?: AdminSession): Promise<void>;
  /**
   * Records whether the schema was missing at the last check. The time of the first such check is retained.
   */
  markMissing(databaseId: string, isMissing: boolean): Promise<void>;
  listAccounts(databaseId: string): Promise<WorkerAccount[]>;
  /** Retains an existing row, so that two runs use the name and secret of the first one. */
  ensureAccount(
    account: Omit<WorkerAccount, 'rights'> & { readonly rights: TableRights | null },
  ): Promise<WorkerAccount>;
  /** Returns null when the row no longer exists. */
  findAccount(account: AccountId): Promise<WorkerAccount | null>;
  /**
   * Returns the platform accounts of all databases on a
   * server, without databases that are deleted or being moved.
   */
  listAccountsOfServer(serverId: string): Promise<AccountWithSchema[]>;
  /** Returns the names of all connection users of a server's databases, including revoked ones. */
  listConnectionUserNames(serverId: string): Promise<string[]>;
  /** Returns the databases of a server with work in progress. */
  listBusyDatabases(serverId: string): Promise<Set<string>>;
  /** Replaces the secret of `account` unless another worker did so first. Returns the current row. */
  replaceSecret(account: WorkerAccount, secretSealed: Buffer): Promise<WorkerAccount>;
  /**
   * Adds a sentence to the advice for operators about a server.
   * Null removes the sentences that start with `topic`.
   */
  advise(serverId: string, topic: string, sentence: string | null): Promise<void>;
  deleteAccounts(databaseId: string): Promise<void>;
  /**
   * Increments the version and adds a change log entry,
   * since gateways read accounts with the database record.
   */
  announceAccounts(databaseId: string): Promise<ChangeEntry>;
  listConnectionUsers(databaseId: string): Promise<WorkerConnectionUser[]>;
  listConnectionUsersOfServer(serverId: string): Promise<WorkerConnectionUser[]>;
  /** Records whether the account of a direct connection requires TLS. */
  noteTls(connectionId: string, requiresTls: boolean): Promise<void>;
  /** Returns null when the content is unknown. */
  readSnapshotBody(contentHash: string): Promise<Buffer | null>;
  /** Returns the content hash of a published number, or null if none exists. */
  readSnapshotHash(databaseId: string, number: number): Promise<string | null>;
  /** Returns the hash of the newest snapshot published by a deploy, or null before the first deploy. */
  readLastDeployHash(databaseId: string): Promise<string | null>;
  readMigrationPlan(
    migrationId: string,
  ): Promise<{ databaseId: string; baseNumber: number; plan: MigrationPlan }>;
  /** Returns the objects that a migration dropped and that are still retained, newest first. */
  listKept(migrationId: string): Promise<SoftDeletedObject[]>;
  /** Returns the stored text of the revision, or null if none exists. */
  readWorkingSnapshot(projectId: string, revision: number): Promise<string | null>;
  /**
   * Returns the newest revision in `(after, before)` with its stored text, or null if none exists.
   * The text may have several megabytes.
   */
  readNewestBetween(
    projectId: string,
    after: number,
    before: number,
  ): Promise<{ revision: number; snapshot: string } | null>;
  /** Returns the revisions in `(after, through]`, oldest first. */
  listRevisions(projectId: string, afterRevision: number, throughRevision: number): Promise<RevisionText[]>;
  /** Returns what the API keys of the database called in the last 30 days. */
  listKeyUse(databaseId: string): Promise<KeyUse[]>;
  /** Returns the revision of the last migration that was published to the database, or 0 without one. */
  readDeployedRevision(databaseId: string): Promise<number>;
  /** Returns the interrupted deploys and reverts since the last published one, oldest first. */
  listBrokenRuns(databaseId: string): Promise<BrokenRun[]>;
  /** Returns the started statements of one migration. */
  listBegunSteps(migrationId: string): Promise<BrokenRun['steps']>;
}

export function createWorkerDirectory(pool: AdminPool, cellId: string): WorkerDirectory {
  async function one<T>(sql: string, id: string, what: string, map: (row: Row) => T): Promise<T> {
    const [row] = await pool.rows<Row>(sql, [id, cellId]);
    if (row === undefined)
      throw new AppError('resource.not_found', {
        detail: `There is no such ${what}.`,
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
      // The database may have moved between the two reads.
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
        const [row] = await session.rows<{ version: number }>(
          'SELECT version FROM tenant_database WHERE id = ?',
          [databaseId],
        );
        return appendChange(session, {
          cellId,
          databaseId,
          kind: 'account',
          version: Number(row?.version ?? 0),
        });
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
    ...createDraftReads(pool),
  };
}

type DraftReads = Pick<
  WorkerDirectory,
  | 'readSnapshotBody'
  | 'readSnapshotHash'
  | 'readWorkingSnapshot'
  | 'readNewestBetween'
  | 'listRevisions'
  | 'readDeployedRevision'
  | 'listBrokenRuns'
  | 'listBegunSteps'
  | 'listKeyUse'
  | 'readLastDeployHash'
  | 'readMigrationPlan'
  | 'listKept'
>;

function createDraftReads(pool: AdminPool): DraftReads {
  const listBegunSteps = async (migrationId: string): Promise<BrokenRun['steps']> => {
    const rows = await pool.rows<{ state: string; statement: string; checkpoint: unknown }>(
      `SELECT state, statement, checkpoint FROM migration_step WHERE migration_id = ? AND kind = 'ddl' AND state <> 'pending' ORDER BY ordinal`,
      [migrationId],
    );
    return rows.map((row) => ({
      isDone: row.state === 'done',
      statement: row.statement,
      checkpoint: readJson<Record<string, unknown>>(row.checkpoint),
    }));
  };
  return {
    listBegunSteps,
    async listBrokenRuns(databaseId) {
      const rows = await pool.rows<{ id: string; reverts_id: string | null; plan: unknown }>(
        `SELECT m.id, m.reverts_id, m.plan FROM migration m WHERE m.database_id = ? AND m.origin IN ('deploy', 'revert') AND m.state IN ('failed', 'cancelled', 'needs_attention')
           AND m.created_at > (SELECT COALESCE(MAX(p.created_at), '1970-01-01') FROM migration p WHERE p.database_id = ? AND p.origin <> 'direct' AND p.state = 'published')
         ORDER BY m.created_at, m.id`,
        [databaseId, databaseId],
      );
      const runs: BrokenRun[] = [];
      for (const row of rows)
        runs.push({
          migrationId: row.id,
          revertsId: row.reverts_id,
          plan: readJson<MigrationPlan>(row.plan) as MigrationPlan,
          steps: await listBegunSteps(row.id),
        });
      return runs;
    },
    async readSnapshotBody(contentHash) {
      const [row] = await pool.rows<{ body: Buffer }>(
        'SELECT body FROM snapshot_content WHERE content_hash = ?',
        [contentHash],
      );
      return row?.body ?? null;
    },
    async readSnapshotHash(databaseId, number) {
      const [row] = await pool.rows<{ content_hash: string }>(
        'SELECT content_hash FROM snapshot WHERE database_id = ? AND number = ?',
        [databaseId, number],
      );
      return row?.content_hash ?? null;
    },
    async readLastDeployHash(databaseId) {
      const [row] = await pool.rows<{ content_hash: string }>(
        `SELECT content_hash FROM snapshot WHERE database_id = ? AND origin <> 'direct' AND state = 'published' ORDER BY number DESC LIMIT 1`,
        [databaseId],
      );
      return row?.content_hash ?? null;
    },
    async readMigrationPlan(migrationId) {
      const [row] = await pool.rows<{ database_id: string; base_number: number; plan: unknown }>(
        'SELECT database_id, base_number, plan FROM migration WHERE id = ?',
        [migrationId],
      );
      if (row === undefined)
        throw new AppError('resource.not_found', { detail: 'There is no such migration.' });
      return {
        databaseId: row.database_id,
        baseNumber: Number(row.base_number),
        plan: readJson<MigrationPlan>(row.plan) as MigrationPlan,
      };
    },
    async listKept(migrationId) {
      const rows = await pool.rows<SoftDeletedRow>(
        'SELECT * FROM kept_object WHERE migration_id = ? AND outcome IS NULL ORDER BY kept_at DESC, id',
        [migrationId],
      );
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        migrationId: row.migration_id,
        step: row.step,
        table: row.table_name,
        column: row.column_name,
        keptName: row.kept_name,
        definition: JSON.parse(row.definition) as SoftDeletedObject['definition'],
      }));
    },
    async readWorkingSnapshot(projectId, revision) {
      const [row] = await pool.rows<{ snapshot: string }>(
        'SELECT snapshot FROM working_schema WHERE project_id = ? AND revision = ?',
        [projectId, revision],
      );
      return row?.snapshot ?? null;
    },
    async readNewestBetween(projectId, after, before) {
      const [row] = await pool.rows<{ revision: number; snapshot: string }>(
        'SELECT revision, snapshot FROM working_schema WHERE project_id = ? AND revision > ? AND revision < ? ORDER BY revision DESC LIMIT 1',
        [projectId, after, before],
      );
      return row ?? null;
    },
    async listRevisions(projectId, afterRevision, throughRevision) {
      const rows = await pool.rows<Omit<RevisionText, 'renames'> & { readonly renames: string | null }>(
        'SELECT revision, statements, restores, mode, renames FROM working_schema WHERE project_id = ? AND revision > ? AND revision <= ? ORDER BY revision',
        [projectId, afterRevision, throughRevision],
      );
      return rows.map((row) => ({
        ...row,
        renames: row.renames === null ? [] : (JSON.parse(row.renames) as RenameHint[]),
      }));
    },
    async listKeyUse(databaseId) {
      const rows = await pool.rows<{
        key_id: string;
        name: string;
        kind: string;
        route: string;
        requests: string | number;
        last_at: string | Date;
      }>(
        `SELECT u.key_id, k.name, k.kind, u.route, SUM(u.requests) AS requests, MAX(u.last_at) AS last_at FROM key_use_day u JOIN api_key k ON k.id = u.key_id
         WHERE u.database_id = ? AND u.day >= UTC_DATE() - INTERVAL 30 DAY AND k.revoked_at IS NULL GROUP BY u.key_id, k.name, k.kind, u.route LIMIT 20000`,
        [databaseId],
      );
      return rows.map((row) => ({
        keyId: row.key_id,
        keyName: row.name,
        isConsole: row.kind === 'session',
        route: row.route,
        requests: Number(row.requests),
        lastUsedAt: toIso(row.last_at),
      }));
    },
    async readDeployedRevision(databaseId) {
      const [row] = await pool.rows<{ revision: number | null }>(
        `SELECT revision FROM migration WHERE database_id = ? AND state = 'published' AND origin <> 'direct' ORDER BY published_number DESC LIMIT 1`,
        [databaseId],
      );
      return Number(row?.revision ?? 0);
    },
  };
}

interface SoftDeletedRow {
  id: string;
  kind: SoftDeletedObject['kind'];
  migration_id: string;
  step: number;
  table_name: string;
  column_name: string | null;
  kept_name: string;
  definition: string;
}

function toIso(time: string | Date): string {
  return time instanceof Date ? time.toISOString() : `${time.replace(' ', 'T').slice(0, 19)}.000Z`;
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
