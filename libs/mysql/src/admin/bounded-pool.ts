import { parsePlatformAddress } from '@rowhouse/contracts';
import type { Pool as CorePool } from 'mysql2';
import { createPool, type PoolConnection } from 'mysql2/promise';
import { PLATFORM_SQL_MODE, toConnectionOptions } from './admin-connection.js';
import {
  toAdminSession,
  type AdminSession,
  readServerFault,
  limitResponseTime,
  ResponseTimeoutError,
} from './admin-session.js';
import { aimAddress, isReadOnlyServer } from './writable-node-pool.js';

/**
 * The message for a server that has become read-only, because it is no longer the primary. A new connection
 * finds the new primary.
 */
const NO_PRIMARY = 'the server of the platform database no longer accepts writes';

export interface BoundedPoolOptions {
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
  /**
   * The time limit of each statement and of waiting for a connection. For a single statement, it covers both
   * together.
   */
  readonly timeoutMs: number;
  /**
   * How long the server lets a statement wait for a row lock. Must be below `timeoutMs`, so that the server
   * has given up the statement before its caller does.
   */
  readonly lockWaitSeconds: number;
}

/** A small connection pool for the statements of this process. Each statement has a time limit. */
export interface BoundedPool extends AdminSession {
  /** Runs `callback` in one transaction. An error rolls it back. */
  transaction<T>(callback: (session: AdminSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Creates a pool for `mysql://user:password@host:port,host:port/database`. If there are several hosts, it
 * uses the one that accepts writes.
 */
export function createBoundedPool(url: string, options: BoundedPoolOptions): BoundedPool {
  const address = parsePlatformAddress(url);
  // The error must not contain the address, which may include a password.
  if (address === null)
    throw new Error(
      'the address of a platform database must have the form mysql://user:password@host:3306/database',
    );
  const aimed = aimAddress(address);
  const pool = createPool({
    ...toConnectionOptions({ host: '', port: 0, user: '', password: '' }),
    connectTimeout: options.connectTimeoutMs,
    ...aimed.options,
    connectionLimit: options.connectionsMax,
    enableKeepAlive: true,
    idleTimeout: 60_000,
  });
  aimed.aim((pool as unknown as { readonly pool: CorePool }).pool);
  pool.on('connection', (connection) => {
    // Runs before any other statement of the session. The callback prevents a lost connection from ending the
    // process.
    const session = connection as unknown as {
      query: (sql: string, done: (error: Error | null) => void) => void;
    };
    session.query(
      `SET SESSION sql_mode='${PLATFORM_SQL_MODE}', time_zone='+00:00', innodb_lock_wait_timeout=${options.lockWaitSeconds}`,
      () => undefined,
    );
  });

  /**
   * Returns a connection within the time limit. A connection that becomes free after the limit goes back to
   * the pool.
   */
  function acquire(): Promise<PoolConnection> {
    return new Promise((resolve, reject) => {
      let isFinished = false;
      const timer = setTimeout(() => {
        isFinished = true;
        reject(new ResponseTimeoutError('no connection to the platform database became free in time'));
      }, options.timeoutMs);
      pool.getConnection().then(
        (connection) => {
          clearTimeout(timer);
          if (isFinished) connection.release();
          else resolve(connection);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(error instanceof Error ? error : new Error('no connection', { cause: error }));
        },
      );
    });
  }

  async function lend<T>(callback: (session: AdminSession) => Promise<T>): Promise<T> {
    const endsAtMs = performance.now() + options.timeoutMs;
    const connection = await acquire();
    try {
      return await callback(boundSession(connection, () => Math.max(1, endsAtMs - performance.now())));
    } catch (error) {
      if (readServerFault(error)?.isConnectionLost === true || isReadOnlyServer(error)) connection.destroy();
      throw isReadOnlyServer(error) ? new ResponseTimeoutError(NO_PRIMARY) : error;
    } finally {
      connection.release();
    }
  }

  return {
    rows: (sql, values) => lend((session) => session.rows(sql, values)),
    run: (sql, values) => lend((session) => session.run(sql, values)),
    transaction: async (callback) => runTransaction(await acquire(), options.timeoutMs, callback),
    close: () => pool.end().catch(() => undefined),
  };
}

async function runTransaction<T>(
  connection: PoolConnection,
  timeoutMs: number,
  callback: (session: AdminSession) => Promise<T>,
): Promise<T> {
  const session = boundSession(connection, () => timeoutMs);
  try {
    await session.run('START TRANSACTION');
    const result = await callback(session);
    await session.run('COMMIT');
    connection.release();
    return result;
  } catch (error) {
    // After a fault, the state of the session is unknown. It is destroyed together with its transaction.
    connection.destroy();
    throw isReadOnlyServer(error) ? new ResponseTimeoutError(NO_PRIMARY) : error;
  }
}

function boundSession(connection: PoolConnection, timeoutMs: () => number): AdminSession {
  return limitResponseTime(toAdminSession(connection), timeoutMs, () => connection.destroy());
}
