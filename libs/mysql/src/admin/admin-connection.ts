import { inTime } from '@rowhouse/runtime';
import type { EngineKind } from '@rowhouse/schema-model';
import type { Connection as CoreConnection } from 'mysql2';
import { createConnection, type Connection, type ConnectionOptions } from 'mysql2/promise';
import { toAdminSession, type AdminSession, readServerFault, limitResponseTime } from './admin-session.js';
import { reopenRenamed } from './reopen-renamed.js';
import { toTlsOptions, dropConnection } from '../session/driver-connection.js';

/**
 * The session settings that change the meaning of table definitions. They are set in each session, because an
 * operator may have changed the server's defaults.
 */
const SCHEMA_SETTINGS =
  'foreign_key_checks=1, unique_checks=1, div_precision_increment=4, sql_quote_show_create=1, default_storage_engine=InnoDB';

const ENGINE_SETTINGS: Readonly<Record<EngineKind, string>> = {
  mariadb: ', check_constraint_checks=1, innodb_strict_mode=1, explicit_defaults_for_timestamp=1',
  mysql: '',
};

export interface AdminTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database?: string | undefined;
  /**
   * `required` verifies the server's certificate. With `ca`, it must come from that authority; otherwise it
   * must come from an authority that the system trusts, for this host name.
   */
  readonly tls?: 'off' | 'required';
  /** The certificate authority of the server, in PEM format. */
  readonly ca?: string;
  /**
   * Set if the session creates or alters tenants' tables: the engine of its server. The session then uses the
   * settings of `toSchemaSqlMode` and `toSchemaSettings`.
   */
  readonly schemaEngine?: EngineKind | undefined;
  /**
   * Whether one SQL text may contain several statements. They reach the server in one packet, so either all
   * of them arrive or none. Defaults to false.
   */
  readonly multipleStatements?: boolean;
  /**
   * The time after which a statement without a response rejects and its session ends. There is no limit by
   * default, because DDL may take hours.
   */
  readonly statementTimeoutMs?: number;
}

/**
 * One session of a worker on a database server. A lost session never reconnects, and each later call on it
 * rejects. A statement waits at most 10 s for a table lock.
 */
export interface AdminConnection extends AdminSession {
  /** The server's id of this session, as KILL expects it. */
  readonly threadId: number;
  isLost(): boolean;
  /**
   * Streams the rows of a query and holds only a few of them in memory. If the caller stops before the end,
   * the connection is closed.
   */
  stream<T>(sql: string): AsyncIterable<T>;
  /**
   * Returns the names of the columns of a query that contain JSON. MariaDB reports this only with a result,
   * so the query is prepared, but not executed.
   */
  jsonColumns(sql: string): Promise<string[]>;
  close(): Promise<void>;
  /** Ends the session at once. If a statement is running, its result stays unknown. */
  drop(): void;
}

/** A strict SQL mode. Each flag is written out, because the defaults of MariaDB and MySQL differ. */
export const PLATFORM_SQL_MODE =
  'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/**
 * Returns the SQL mode of platform sessions. Under ONLY_FULL_GROUP_BY, MariaDB rejects columns that depend on
 * a grouped key (ADR 45).
 */
export function toPlatformSqlMode(engine: EngineKind): string {
  return engine === 'mysql' ? GROUPED_SQL_MODE : PLATFORM_SQL_MODE;
}

/** `PLATFORM_SQL_MODE`, where every selected column must also be grouped or depend on grouped columns. */
export const GROUPED_SQL_MODE = `ONLY_FULL_GROUP_BY,${PLATFORM_SQL_MODE}`;
/**
 * An SQL expression for the platform's SQL mode. The server evaluates it, because the engine of a new session
 * is not known yet.
 */
const MODE_OF_SERVER = `IF(VERSION() LIKE '%MariaDB%', '${PLATFORM_SQL_MODE}', '${GROUPED_SQL_MODE}')`;

/**
 * The SQL mode for copying stored values unchanged. It accepts zero dates, invalid dates, 0 in AUTO_INCREMENT
 * columns, and errors in generated columns. It is strict, so no value is truncated.
 */
export const CARRY_SQL_MODE =
  'STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION';

/** Runs `callback` with a session that copies stored values unchanged, then restores the previous mode. */
export async function withCarryMode<T>(
  connection: Pick<AdminConnection, 'rows' | 'run' | 'isLost'>,
  callback: () => Promise<T>,
): Promise<T> {
  const [before] = await connection.rows<{ mode: string }>('SELECT @@SESSION.sql_mode AS mode');
  await connection.run(`SET SESSION sql_mode = '${CARRY_SQL_MODE}'`);
  try {
    return await callback();
  } finally {
    if (!connection.isLost())
      await connection.run('SET SESSION sql_mode = ?', [before?.mode ?? PLATFORM_SQL_MODE]);
  }
}

const STREAM_ROWS = 16;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/** The time limit for closing a session. Closing waits for a running statement, which may take hours. */
const CLOSE_TIMEOUT_MS = 1_000;
/**
 * The limit for waiting for a table lock. The owner of a table may lock it for any time, which must not block
 * the worker.
 */
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
    // Keepalive packets detect within minutes, instead of hours, that the server has gone without closing the
    // connection.
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
    const first = limitResponseTime(
      toAdminSession(connection),
      () => CONNECT_TIMEOUT_MS,
      () => dropConnection(coreOf(connection)),
    );
    await first.run(
      `SET SESSION ${sessionSettings(target)}, time_zone='+00:00', lock_wait_timeout=${LOCK_WAIT_SECONDS}`,
    );
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return wrapConnection(connection, target.statementTimeoutMs, {
    isLost: () => isLost,
    lose: () => (isLost = true),
  });
}

function sessionSettings({ schemaEngine }: AdminTarget): string {
  return schemaEngine === undefined
    ? `sql_mode=${MODE_OF_SERVER}`
    : `sql_mode='${toSchemaSqlMode(schemaEngine)}', ${toSchemaSettings(schemaEngine)}`;
}

/** Returns the connection inside mysql2's promise wrapper. The wrapper itself cannot stream rows. */
function coreOf(connection: Connection): CoreConnection {
  return (connection as unknown as { readonly connection: CoreConnection }).connection;
}

/** Closes the connection, by force if the server does not respond in time. Never throws. */
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

function wrapConnection(
  connection: Connection,
  timeoutMs: number | undefined,
  { isLost, lose }: { readonly isLost: () => boolean; readonly lose: () => void },
): AdminConnection {
  const plain = reopenRenamed(toAdminSession(connection));
  const session =
    timeoutMs === undefined
      ? plain
      : limitResponseTime(
          plain,
          () => timeoutMs,
          () => dropConnection(coreOf(connection)),
        );
  /** Marks the session as lost after an error that ends it, even if the server has not closed it yet. */
  const watch = (error: unknown): never => {
    if (readServerFault(error)?.isConnectionLost === true) lose();
    throw error;
  };
  return {
    threadId: connection.threadId,
    rows: <T>(sql: string, values?: Parameters<AdminSession['rows']>[1]) =>
      session.rows<T>(sql, values).catch(watch),
    run: (sql, values) => session.run(sql, values).catch(watch),
    isLost,
    stream: <T>(sql: string) =>
      coreOf(connection).query(sql).stream({ highWaterMark: STREAM_ROWS }) as AsyncIterable<T>,
    async jsonColumns(sql) {
      const prepared = await connection.prepare(sql);
      // The type declarations of mysql2 omit the statement that `prepare` resolves with.
      const { columns } = (prepared as unknown as { statement: PreparedColumns }).statement;
      await prepared.close();
      return (columns ?? [])
        .filter((column) => column.extendedFormat === 'json')
        .map((column) => column.name);
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

/**
 * Returns the SQL mode in which tables are created and altered. It is strict but allows zero dates. Under
 * NO_ZERO_DATE, a server rejects each ALTER of a table that has a zero date as default, so one such column
 * would block all later changes.
 */
export function toSchemaSqlMode(engine: EngineKind): string {
  return `${engine === 'mysql' ? 'ONLY_FULL_GROUP_BY,' : ''}STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION`;
}

/**
 * Returns the settings of each session that applies or tries table definitions. All of these sessions use the
 * same settings, so a definition that one accepts is accepted by the others. Views, triggers and routines are
 * created in the platform's SQL mode, because the server stores the mode with them.
 */
function toSchemaSettings(engine: EngineKind): string {
  return `${SCHEMA_SETTINGS}${ENGINE_SETTINGS[engine]}`;
}
