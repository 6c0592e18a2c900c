import { inTime } from '@rowhouse/runtime';
import type { EngineKind } from '@rowhouse/schema-model';
import type { Connection as CoreConnection } from 'mysql2';
import { createConnection, type Connection, type ConnectionOptions } from 'mysql2/promise';
import { readServerFault } from './admin-error.js';
import { toAdminSession, type AdminSession } from './admin-session.js';
import { boundAnswers } from './bound-answers.js';
import { dropConnection } from './drop-connection.js';
import { reopenRenamed } from './reopen-renamed.js';
import { toSchemaSettings, toSchemaSqlMode } from './schema-session.js';
import { toTlsOptions } from './to-tls-options.js';

export interface AdminTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database?: string | undefined;
  /** `required` checks the server's certificate against `ca`, or the system's authorities and its name. */
  readonly tls?: 'off' | 'required';
  /** PEM. */
  readonly ca?: string;
  /** Set for sessions that create and alter tenants' tables: they take `SCHEMA_SQL_MODE` and its companions for this engine. */
  readonly schemaEngine?: EngineKind | undefined;
  /** Several statements in one message, for those that must all reach the server or none; off by default. */
  readonly multipleStatements?: boolean;
  /** After which a statement without an answer is given up together with its session. Without it, none is: DDL may take hours. */
  readonly statementTimeoutMs?: number;
}

/**
 * One session of a worker. It never reconnects: once lost, every call rejects, so that a worker which lost its
 * session can send nothing more on it. A statement waits 10 s at most for a table that others keep locked.
 */
export interface AdminConnection extends AdminSession {
  /** The server's id of this session, as KILL takes it. */
  readonly threadId: number;
  isLost(): boolean;
  /** Rows as the server sends them, a few in memory at a time. Whoever stops before the end closes the connection. */
  stream<T>(sql: string): AsyncIterable<T>;
  /**
   * Returns the names of the columns of a query whose values are JSON, which MariaDB reports only with a result. The
   * statement is prepared and does not run.
   */
  jsonColumns(sql: string): Promise<string[]>;
  close(): Promise<void>;
  /** Ends the session at once, whatever is under way on it: nobody is told what that came to. */
  drop(): void;
}

/** Strict, and written out, since the engines' defaults differ. */
export const PLATFORM_SQL_MODE =
  'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/** The mode of a session of the platform; MariaDB refuses what depends on a grouped key under ONLY_FULL_GROUP_BY (ADR 45). */
export function toPlatformSqlMode(engine: EngineKind): string {
  return engine === 'mysql' ? GROUPED_SQL_MODE : PLATFORM_SQL_MODE;
}

/** As above, where every column that is selected must be grouped or depend on what is. */
export const GROUPED_SQL_MODE = `ONLY_FULL_GROUP_BY,${PLATFORM_SQL_MODE}`;
/** The mode of the engine at the other end, which a new session does not know yet. */
const MODE_OF_SERVER = `IF(VERSION() LIKE '%MariaDB%', '${PLATFORM_SQL_MODE}', '${GROUPED_SQL_MODE}')`;

/**
 * Carries stored values as they are: zero dates, invalid dates, 0 in a counter and errors in computed columns. Strict, so
 * that no value is cut.
 */
export const CARRY_SQL_MODE = 'STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION';

/** Runs `work` with a session that carries stored values as they are, and restores the mode it had. */
export async function withCarryMode<T>(connection: Pick<AdminConnection, 'rows' | 'run' | 'isLost'>, work: () => Promise<T>): Promise<T> {
  const [before] = await connection.rows<{ mode: string }>('SELECT @@SESSION.sql_mode AS mode');
  await connection.run(`SET SESSION sql_mode = '${CARRY_SQL_MODE}'`);
  try {
    return await work();
  } finally {
    if (!connection.isLost()) await connection.run('SET SESSION sql_mode = ?', [before?.mode ?? PLATFORM_SQL_MODE]);
  }
}

const STREAM_ROWS = 16;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Of a session at its end: a statement that is still under way on it would be waited for. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Whoever owns a table may keep it locked for as long as they like, and a worker has others to serve. */
const LOCK_WAIT_SECONDS = 10;

export function toConnectionOptions(target: AdminTarget): ConnectionOptions {
  return {
    host: target.host,
    port: target.port,
    user: target.user,
    password: target.password,
    ...(target.database === undefined ? {} : { database: target.database }),
    ...(target.tls === 'required' ? { ssl: toTlsOptions(target.ca) } : {}),
    charset: 'utf8mb4_unicode_ci',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: false,
    multipleStatements: target.multipleStatements ?? false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // A peer that is gone without a word is found out about in minutes, not in hours.
    enableKeepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS,
    maxPreparedStatements: 64,
    flags: ['-LOCAL_FILES'],
  };
}

export async function openAdminConnection(target: AdminTarget): Promise<AdminConnection> {
  const connection = await createConnection(toConnectionOptions(target));
  let isLost = false;
  connection.on('error', () => {
    isLost = true;
  });
  connection.on('end', () => {
    isLost = true;
  });
  try {
    const first = boundAnswers(toAdminSession(connection), () => CONNECT_TIMEOUT_MS, () => dropConnection(coreOf(connection)));
    await first.run(`SET SESSION ${sessionSettings(target)}, time_zone='+00:00', lock_wait_timeout=${LOCK_WAIT_SECONDS}`);
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return wrapConnection(connection, target.statementTimeoutMs, { isLost: () => isLost, lose: () => (isLost = true) });
}

function sessionSettings({ schemaEngine }: AdminTarget): string {
  return schemaEngine === undefined ? `sql_mode=${MODE_OF_SERVER}` : `sql_mode='${toSchemaSqlMode(schemaEngine)}', ${toSchemaSettings(schemaEngine)}`;
}

/** What the promises are wrapped around: it alone can stream. */
function coreOf(connection: Connection): CoreConnection {
  return (connection as unknown as { readonly connection: CoreConnection }).connection;
}

/** Never throws. */
async function endInTime(connection: Connection): Promise<void> {
  try {
    await inTime(connection.end(), CLOSE_TIMEOUT_MS, () => new Error('the session did not end'));
  } catch {
    dropConnection(coreOf(connection));
  }
}

interface PreparedColumns {
  readonly columns?: readonly { readonly name: string; readonly extendedFormat?: string }[];
}

function wrapConnection(connection: Connection, timeoutMs: number | undefined, { isLost, lose }: { readonly isLost: () => boolean; readonly lose: () => void }): AdminConnection {
  const plain = reopenRenamed(toAdminSession(connection));
  const session = timeoutMs === undefined ? plain : boundAnswers(plain, () => timeoutMs, () => dropConnection(coreOf(connection)));
  /** A session that will do nothing more is no session, though the server holds on to it. */
  const watch = (error: unknown): never => {
    if (readServerFault(error)?.isConnectionLost === true) lose();
    throw error;
  };
  return {
    threadId: connection.threadId,
    rows: <T>(sql: string, values?: Parameters<AdminSession['rows']>[1]) => session.rows<T>(sql, values).catch(watch),
    run: (sql, values) => session.run(sql, values).catch(watch),
    isLost,
    stream: <T>(sql: string) => coreOf(connection).query(sql).stream({ highWaterMark: STREAM_ROWS }) as AsyncIterable<T>,
    async jsonColumns(sql) {
      const prepared = await connection.prepare(sql);
      // The declarations of mysql2 leave out the statement that `prepare` resolves with.
      const { columns } = (prepared as unknown as { statement: PreparedColumns }).statement;
      await prepared.close();
      return (columns ?? []).filter((column) => column.extendedFormat === 'json').map((column) => column.name);
    },
    async close() {
      if (isLost()) connection.destroy();
      else await endInTime(connection);
    },
    drop() {
      lose();
      dropConnection(coreOf(connection));
    },
  };
}
