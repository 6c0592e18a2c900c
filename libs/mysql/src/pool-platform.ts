import { AppError } from '@rowhouse/errors';
import { createPool, type PoolConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { PLATFORM_SQL_MODE, toConnectionOptions } from './admin-connection.js';
import { readServerFault } from './admin-error.js';
import { parseMysqlUrl } from './admin-pool.js';
import type { AdminSession, AdminValue } from './admin-session.js';

/** Statements on the platform database that must not hold up a request: each ends within its time, one way or the other. */
export interface PlatformPool extends AdminSession {
  close(): Promise<void>;
}

export interface PlatformPoolOptions {
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
  /** Waiting for a connection and the statement together. */
  readonly statementTimeoutMs: number;
}

/** Throws `platform.unavailable` when the database cannot be reached or does not answer in time. */
export function createPlatformPool(url: string, options: PlatformPoolOptions): PlatformPool {
  const pool = createPool({
    ...toConnectionOptions(parseMysqlUrl(url)),
    connectTimeout: options.connectTimeoutMs,
    connectionLimit: options.connectionsMax,
    enableKeepAlive: true,
    idleTimeout: 60_000,
  });
  pool.on('connection', (connection) => {
    // Runs before anything else of the session; the callback keeps a lost connection from ending the process.
    const session = connection as unknown as { query: (sql: string, done: (error: Error | null) => void) => void };
    session.query(`SET SESSION sql_mode='${PLATFORM_SQL_MODE}', time_zone='+00:00', innodb_lock_wait_timeout=1`, () => undefined);
  });

  /** On time-out the connection is destroyed, since it still owes an answer; the driver would never settle the promise. */
  function bounded<T>(work: (connection: PoolConnection) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let taken: PoolConnection | null = null;
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        taken?.destroy();
        reject(unavailable(new Error('the platform database did not answer in time')));
      }, options.statementTimeoutMs);
      pool.getConnection().then(async (connection) => {
        if (isOver) return connection.release();
        taken = connection;
        try {
          const result = await work(connection);
          if (!isOver) connection.release();
          resolve(result);
        } catch (error) {
          if (readServerFault(error)?.isConnectionLost !== false) connection.destroy();
          else connection.release();
          throw error;
        }
      }).catch((error: unknown) => reject(toPlatformError(error))).finally(() => clearTimeout(timer));
    });
  }

  return {
    rows<T>(sql: string, values: readonly AdminValue[] = []): Promise<T[]> {
      return bounded(async (connection) => {
        const [rows] = await connection.query<RowDataPacket[]>(sql, [...values]);
        return rows as unknown as T[];
      });
    },
    run(sql, values = []) {
      return bounded(async (connection) => {
        const [result] = await connection.query<ResultSetHeader>(sql, [...values]);
        return { affectedRows: result.affectedRows ?? 0, insertId: result.insertId ?? 0 };
      });
    },
    close: () => pool.end().catch(() => undefined),
  };
}

/** Connection faults only: a refused statement is a defect of ours and stays one. */
function toPlatformError(error: unknown): unknown {
  const fault = readServerFault(error);
  return fault === null || fault.isConnectionLost || fault.errno === 1040 || fault.errno === 1205 ? unavailable(error) : error;
}

function unavailable(cause: unknown): AppError {
  return new AppError('platform.unavailable', { retryAfterSeconds: 1, internal: String(cause), cause });
}
