import { createPool, type PoolConnection } from 'mysql2/promise';
import { PLATFORM_SQL_MODE, toConnectionOptions, type AdminTarget } from './admin-connection.js';
import { readServerFault } from './admin-error.js';
import { toAdminSession, type AdminSession, type AdminValue } from './admin-session.js';

export interface AdminPool extends AdminSession {
  /** Runs `work` in one transaction; run again (up to 5 times) when it met a deadlock, so `work` must be safe to repeat. */
  transaction<T>(work: (session: AdminSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const DEADLOCK_TRIES_MAX = 5;

/** A deadlock or a lock wait that ran out: the server has rolled back, so the whole may be sent again. */
function isRolledBack(error: unknown): boolean {
  const errno = readServerFault(error)?.errno;
  return errno === 1213 || errno === 1205;
}

/** For statements that are a transaction of their own. */
async function retryRolledBack<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!isRolledBack(error) || attempt >= DEADLOCK_TRIES_MAX) throw error;
    }
  }
}

/** A small pool for a process's own statements on the platform database. `url` is `mysql://user:password@host:port/database`. */
export function createAdminPool(url: string, options: { readonly connectionsMax: number }): AdminPool {
  const pool = createPool({
    ...toConnectionOptions(parseMysqlUrl(url)),
    connectionLimit: options.connectionsMax,
    enableKeepAlive: true,
    idleTimeout: 60_000,
  });
  // `connection` comes before the first statement of a session, and a session runs its statements in order.
  pool.on('connection', (connection) => {
    void (connection as unknown as PoolConnection).query(`SET SESSION sql_mode='${PLATFORM_SQL_MODE}', time_zone='+00:00'`);
  });
  const single = toAdminSession(pool);
  return {
    rows: <T>(sql: string, values?: readonly AdminValue[]) => retryRolledBack(() => single.rows<T>(sql, values)),
    run: (sql, values) => retryRolledBack(() => single.run(sql, values)),
    transaction: (work) => retryRolledBack(async () => runTransaction(await pool.getConnection(), work)),
    close: () => pool.end(),
  };
}

async function runTransaction<T>(connection: PoolConnection, work: (session: AdminSession) => Promise<T>): Promise<T> {
  try {
    await connection.query('START TRANSACTION');
    const result = await work(toAdminSession(connection));
    await connection.query('COMMIT');
    connection.release();
    return result;
  } catch (error) {
    // The session's state is unknown after a fault: it is thrown away with its transaction.
    connection.destroy();
    throw error;
  }
}

/** Throws a plain error that does not repeat the address, since it may hold a password. */
export function parseMysqlUrl(url: string): AdminTarget {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new Error('a MySQL address looks like mysql://user:password@host:3306/database');
  }
  const database = decodeURIComponent(parsed.pathname.slice(1));
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? 3306 : Number(parsed.port),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    ...(database === '' ? {} : { database }),
    tls: parsed.searchParams.get('tls') === 'required' ? 'required' : 'off',
  };
}
