import { parsePlatformAddress, type PlatformAddress } from '@rowhouse/contracts';
import {
  aimAddress,
  type AimedAddress,
  isReadOnlyServer,
  quoteLongTexts,
  toTlsOptions,
} from '@rowhouse/mysql';
import mysql from 'mysql2';
import { createConnection } from 'mysql2/promise';
import {
  DataSource,
  type DataSourceOptions,
  DefaultNamingStrategy,
  type NamingStrategyInterface,
} from 'typeorm';
import { CELL_MIGRATIONS } from './cell-migrations.js';
import { AcceptedQuestion } from './entities/accepted-question.js';
import { Account } from './entities/account.js';
import { ApiKey } from './entities/api-key.js';
import { AuditEvent } from './entities/audit-event.js';
import { Cell } from './entities/cell.js';
import { ChangeLogEntry } from './entities/change-log-entry.js';
import { ChangeLogHead } from './entities/change-log-head.js';
import { ConnectionUser } from './entities/connection-user.js';
import { DatabaseAccount } from './entities/database-account.js';
import { DatabaseMove } from './entities/database-move.js';
import { EmailToken } from './entities/email-token.js';
import { Invitation } from './entities/invitation.js';
import { SoftDeletedObjectRow } from './entities/soft-deleted-object-row.js';
import { Membership } from './entities/membership.js';
import { MigrationRow } from './entities/migration-row.js';
import { Organization } from './entities/organization.js';
import { Passkey } from './entities/passkey.js';
import { PersonalAccessToken } from './entities/personal-access-token.js';
import { PlatformSetting } from './entities/platform-setting.js';
import { Project } from './entities/project.js';
import { ProjectModel } from './entities/project-model.js';
import { QuestionLogEntry } from './entities/question-log-entry.js';
import { SavedQuery } from './entities/saved-query.js';
import { ServerRow } from './entities/server-row.js';
import { RecoveryCode } from './entities/recovery-code.js';
import { SessionRow } from './entities/session-row.js';
import { ShareLink } from './entities/share-link.js';
import { SignInState } from './entities/sign-in-state.js';
import { SlotRange } from './entities/slot-range.js';
import { TotpSecret } from './entities/totp-secret.js';
import { SnapshotRow } from './entities/snapshot-row.js';
import { Synonym } from './entities/synonym.js';
import { TaskRow } from './entities/task-row.js';
import { TenantDatabase } from './entities/tenant-database.js';
import { TransferFile } from './entities/transfer-file.js';
import { TransferLoad } from './entities/transfer-load.js';
import { WorkingSchema } from './entities/working-schema.js';
import { CreateAuditPending1700000000270 } from './migrations/1700000000270-create-audit-pending.js';
import { CreateGlobalTables1700000000001 } from './migrations/1700000000001-create-global-tables.js';
import { ChainGlobalAudit1700000000084 } from './migrations/1700000000084-chain-global-audit.js';
import { CountGlobalProjects1700000000111 } from './migrations/1700000000111-count-global-projects.js';
import { CreateGlobalTwoFactor1700000000280 } from './migrations/1700000000280-create-global-two-factor.js';
import { RequireTwoFactor1700000000281 } from './migrations/1700000000281-require-two-factor.js';
import { CreateGlobalPasskeys1700000000282 } from './migrations/1700000000282-create-global-passkeys.js';
import { CreateGlobalMail1700000000080 } from './migrations/1700000000080-create-global-mail.js';

/** The driver's pool that TypeORM uses. */
type DriverPool = mysql.Pool;

type DriverConnection = mysql.PoolConnection;

/** The time limits of access to the platform database: for getting a connection, and for each statement. */
export interface PlatformBounds {
  readonly acquireTimeoutMs: number;
  readonly statementTimeoutMs: number;
}

/** The code of a `PlatformOutcomeUnknownError`. TypeORM copies it to the error that it throws. */
export const OUTCOME_UNKNOWN = 'PLATFORM_OUTCOME_UNKNOWN';

/** The code of a `PlatformTimeoutError`. */
const PLATFORM_LATE = 'PLATFORM_LATE';

/** Thrown when the connection was lost after a write was sent. The write may or may not have taken effect. */
class PlatformOutcomeUnknownError extends Error {
  override readonly name = 'PlatformOutcomeUnknownError';
  readonly code = OUTCOME_UNKNOWN;
}

/** Thrown when the platform database does not respond in time, or no longer accepts writes. */
class PlatformTimeoutError extends Error {
  override readonly name = 'PlatformTimeoutError';
  readonly code = PLATFORM_LATE;
  readonly errno = 0;
  readonly fatal = false;
}

type Query = (sql: unknown, values?: unknown) => Promise<unknown>;

type PromiseConnection = ReturnType<DriverConnection['promise']>;

/** The codes of errors after which it is unknown whether a statement took effect. */
const LOST_CODES = new Set([PLATFORM_LATE, 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'PROTOCOL_CONNECTION_LOST']);
/** Maps `createdAt` in code to `created_at` in tables. */
class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(
    propertyName: string,
    customName: string | undefined,
    embeddedPrefixes: string[],
  ): string {
    return [...embeddedPrefixes, customName ?? toSnake(propertyName)].join('_');
  }
}
const GLOBAL_ENTITIES = [
  Account,
  AuditEvent,
  Cell,
  EmailToken,
  Invitation,
  Membership,
  Organization,
  Passkey,
  PersonalAccessToken,
  PlatformSetting,
  Project,
  RecoveryCode,
  SessionRow,
  SignInState,
  SlotRange,
  TotpSecret,
];
const CELL_ENTITIES = [
  AcceptedQuestion,
  ApiKey,
  ChangeLogEntry,
  ChangeLogHead,
  ConnectionUser,
  DatabaseAccount,
  DatabaseMove,
  SoftDeletedObjectRow,
  MigrationRow,
  ProjectModel,
  QuestionLogEntry,
  SavedQuery,
  ServerRow,
  ShareLink,
  SnapshotRow,
  Synonym,
  TaskRow,
  TenantDatabase,
  TransferFile,
  TransferLoad,
  WorkingSchema,
];

/** The migrations of the tables that all cells share, in order. */
export const GLOBAL_MIGRATIONS = [
  CreateGlobalTables1700000000001,
  CreateGlobalMail1700000000080,
  ChainGlobalAudit1700000000084,
  CountGlobalProjects1700000000111,
  CreateAuditPending1700000000270,
  CreateGlobalTwoFactor1700000000280,
  RequireTwoFactor1700000000281,
  CreateGlobalPasskeys1700000000282,
];

const CONNECT_TIMEOUT_MS = 3_000;

/**
 * The limits of a process that serves requests. Migrations of the platform tables have no limits, because
 * they may take long.
 */
export const SERVING_BOUNDS: PlatformBounds = { acquireTimeoutMs: 2_000, statementTimeoutMs: 3_000 };

/** Opens the tables that all cells share. No statement joins them with the tables of a cell. */
export async function createGlobalDataSource(
  url: string,
  bounds: PlatformBounds | null = null,
): Promise<DataSource> {
  return new DataSource({
    ...(await commonOptions(url, bounds)),
    entities: GLOBAL_ENTITIES,
    migrations: GLOBAL_MIGRATIONS,
    migrationsTableName: 'platform_migration_global',
  });
}

/** Opens the tables of one cell. */
export async function createCellDataSource(
  url: string,
  bounds: PlatformBounds | null = null,
): Promise<DataSource> {
  return new DataSource({
    ...(await commonOptions(url, bounds)),
    entities: CELL_ENTITIES,
    migrations: CELL_MIGRATIONS,
    migrationsTableName: 'platform_migration_cell',
  });
}

type MysqlOptions = Extract<DataSourceOptions, { readonly type: 'mysql' | 'mariadb' }>;

async function commonOptions(url: string, bounds: PlatformBounds | null): Promise<MysqlOptions> {
  const address = parsePlatformAddress(url);
  // The error omits the address, because the address may contain a password.
  if (address === null)
    throw new Error(
      'the address of a platform database must have the form mysql://user:password@host:3306/database',
    );
  const found = await findPrimary(address);
  const aimed = aimAddress(address, found.at);
  return {
    type: found.engine,
    database: address.database,
    charset: 'utf8mb4_unicode_ci',
    timezone: 'Z',
    namingStrategy: new SnakeNamingStrategy(),
    synchronize: false,
    migrationsRun: false,
    poolSize: 10,
    // This sets a smaller cache, because the driver preallocates 16,000 statements per connection by default.
    extra: {
      maxPreparedStatements: 64,
      enableKeepAlive: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      ...aimed.options,
    },
    driver: { ...mysql, createPool: (options: mysql.PoolOptions) => openPool(options, aimed, bounds) },
  };
}

function openPool(
  options: mysql.PoolOptions,
  aimed: AimedAddress,
  bounds: PlatformBounds | null,
): DriverPool {
  const pool = mysql.createPool(options);
  aimed.aim(pool);
  return bounds === null ? pool : boundPool(pool, bounds);
}

/**
 * Returns the first server that accepts writes, or else the last one tried. The version of the server tells
 * its engine, which TypeORM needs to know for its driver.
 */
async function findPrimary(
  address: PlatformAddress,
): Promise<{ readonly at: number; readonly engine: 'mariadb' | 'mysql' }> {
  let failure: unknown;
  for (const [index, node] of address.nodes.entries()) {
    try {
      const { version, isReadOnly } = await queryServer(address, node);
      if (isReadOnly && index < address.nodes.length - 1) continue;
      return { at: index, engine: /mariadb/i.test(version) ? 'mariadb' : 'mysql' };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function queryServer(
  { user, password, database, tls }: PlatformAddress,
  node: PlatformAddress['nodes'][number],
): Promise<{ readonly version: string; readonly isReadOnly: boolean }> {
  const connection = await createConnection({
    ...node,
    user,
    password,
    database,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(tls === 'required' ? { ssl: toTlsOptions() } : {}),
  });
  try {
    const [rows] = await connection.query('SELECT VERSION() AS version, @@GLOBAL.read_only AS is_read_only');
    const [row] = rows as { version: string; is_read_only: number }[];
    return { version: row?.version ?? '', isReadOnly: Number(row?.is_read_only) !== 0 };
  } finally {
    connection.destroy();
  }
}

function toSnake(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/**
 * Returns the pool with time limits, because TypeORM has none. The driver's own timeout would return a
 * connection to the pool while a response is still pending on it. Here, such a connection is destroyed.
 */
function boundPool(pool: DriverPool, bounds: PlatformBounds): DriverPool {
  const getConnection = pool.getConnection.bind(pool);
  pool.on('connection', (connection) => {
    bindStatements(connection, bounds);
    // The server's limit is shorter than the timeout of a statement, so that the server stops first.
    const seconds = Math.max(1, Math.floor(bounds.statementTimeoutMs / 1_500));
    connection.query(
      `SET SESSION innodb_lock_wait_timeout=${seconds}, lock_wait_timeout=${seconds}`,
      (error) => {
        // The connection is destroyed. Without these limits, a statement could take effect after its caller
        // got an error.
        if (error !== null) connection.destroy();
      },
    );
  });
  pool.getConnection = (callback) => {
    let isFinished = false;
    const timer = setTimeout(() => {
      isFinished = true;
      callback(
        new PlatformTimeoutError('no connection to the platform database became free in time'),
        undefined as never,
      );
    }, bounds.acquireTimeoutMs);
    getConnection((error, connection) => {
      clearTimeout(timer);
      // A connection that arrives after the time limit is returned to the pool.
      if (isFinished) connection?.release();
      else callback(error, connection);
    });
  };
  return pool;
}

/**
 * Adds time limits to a connection's statements. TypeORM sends all of them with
 * `connection.promise().query(sql, values)`.
 */
function bindStatements(connection: DriverConnection, { statementTimeoutMs }: PlatformBounds): void {
  const promised = connection.promise();
  const send = promised.query.bind(promised) as unknown as Query;
  // Whether a transaction is open on the connection. This is tracked here, because TypeORM has no hook for it
  // on a single connection.
  let isInTransaction = false;

  const query: Query = async (sql, values) => {
    const text = String(sql);
    const mayHaveHappened =
      /^\s*COMMIT\b/i.test(text) || (!isInTransaction && /^\s*(INSERT|UPDATE|DELETE|REPLACE)\b/i.test(text));
    if (/^\s*START TRANSACTION\b/i.test(text)) isInTransaction = true;
    else if (/^\s*(COMMIT|ROLLBACK)\s*$/i.test(text)) isInTransaction = false;
    try {
      return await bound(
        send(sql, Array.isArray(values) ? quoteLongTexts(values) : values),
        connection,
        statementTimeoutMs,
      );
    } catch (error) {
      if (isReadOnlyServer(error)) {
        // The former primary is now read-only. A new connection finds its successor.
        connection.destroy();
        throw new PlatformTimeoutError('the platform database is read-only', { cause: error });
      }
      if (mayHaveHappened && isLost(error))
        throw new PlatformOutcomeUnknownError('the outcome of a write is unknown', { cause: error });
      throw error;
    }
  };
  promised.query = query as unknown as PromiseConnection['query'];
  connection.promise = () => promised;
}

function bound<T>(statement: Promise<T>, connection: DriverConnection, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      connection.destroy();
      reject(new PlatformTimeoutError('the platform database did not respond in time'));
    }, timeoutMs);
    statement.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function isLost(error: unknown): boolean {
  return LOST_CODES.has(String((error as { code?: unknown }).code));
}
