import { createPool, type PoolConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { PLATFORM_SQL_MODE, toConnectionOptions, type AdminRow, type AdminTarget, type AdminValue } from './admin-connection.js';
import { readServerFault } from './admin-error.js';

/** Statements on a pool or inside one transaction of it. */
export interface AdminSession {
  rows<T = AdminRow>(sql: string, values?: readonly AdminValue[]): Promise<T[]>;
  run(sql: string, values?: readonly AdminValue[]): Promise<{ affectedRows: number; insertId: number }>;
}

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
  const single = toSession(pool);
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
    const result = await work(toSession(connection));
    await connection.query('COMMIT');
    connection.release();
    return result;
  } catch (error) {
    // The session's state is unknown after a fault: it is thrown away with its transaction.
    connection.destroy();
    throw error;
  }
}

type Queryable = Pick<PoolConnection, 'query'>;

function toSession(connection: Queryable): AdminSession {
  return {
    async rows<T>(sql: string, values: readonly AdminValue[] = []): Promise<T[]> {
      const [rows] = await connection.query<RowDataPacket[]>(sql, [...values]);
      return rows as unknown as T[];
    },
    async run(sql, values = []) {
      const [result] = await connection.query<ResultSetHeader>(sql, [...values]);
      return { affectedRows: result.affectedRows ?? 0, insertId: result.insertId ?? 0 };
    },
  };
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
