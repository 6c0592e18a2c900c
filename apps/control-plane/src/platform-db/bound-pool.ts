import type mysql from 'mysql2';
import { isReadOnlyServer, quoteLongTexts } from '@rowhouse/mysql';

/** The driver's pool that TypeORM receives. */
export type DriverPool = mysql.Pool;

export type DriverConnection = mysql.PoolConnection;

/** The time limits of calls to the platform database: for getting a connection, and for each statement. */
export interface PlatformBounds {
  readonly acquireTimeoutMs: number;
  readonly statementTimeoutMs: number;
}

/** The error code for a write with an unknown outcome. */
export const OUTCOME_UNKNOWN = 'PLATFORM_OUTCOME_UNKNOWN';
/** The error code for a timeout. */
export const PLATFORM_LATE = 'PLATFORM_LATE';

type Query = (sql: unknown, values?: unknown) => Promise<unknown>;
type PromiseConnection = ReturnType<DriverConnection['promise']>;

/**
 * Returns the pool with time limits. TypeORM has none, and the driver's own timeout returns a connection that
 * still owes a response to the pool. Here, such a connection is destroyed.
 */
export function boundPool(pool: DriverPool, bounds: PlatformBounds): DriverPool {
  const getConnection = pool.getConnection.bind(pool);
  pool.on('connection', (connection) => {
    bindStatements(connection, bounds);
    // The server's limits end first, so that an abandoned statement does not take effect. MySQL has another
    // name for the second.
    const seconds = Math.max(1, Math.floor(bounds.statementTimeoutMs / 1_500));
    connection.query(
      `SET SESSION innodb_lock_wait_timeout=${seconds}, lock_wait_timeout=${seconds}`,
      () => undefined,
    );
  });
  pool.getConnection = (callback) => {
    let isFinished = false;
    const timer = setTimeout(() => {
      isFinished = true;
      callback(
        Object.assign(new Error('no connection to the platform database became free in time'), {
          code: PLATFORM_LATE,
          errno: 0,
          fatal: false,
        }),
        undefined as never,
      );
    }, bounds.acquireTimeoutMs);
    getConnection((error, connection) => {
      clearTimeout(timer);
      // A connection that arrives too late is returned to the pool.
      if (isFinished) connection?.release();
      else callback(error, connection);
    });
  };
  return pool;
}

/** TypeORM sends everything with `connection.promise().query(sql, values)`. */
function bindStatements(connection: DriverConnection, { statementTimeoutMs }: PlatformBounds): void {
  const promised = connection.promise();
  const send = promised.query.bind(promised) as unknown as Query;
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
      if (mayHaveHappened && isLost(error)) (error as { code: string }).code = OUTCOME_UNKNOWN;
      if (isReadOnlyServer(error)) {
        // The former primary is read-only now. A new connection finds its successor.
        connection.destroy();
        (error as { code: string }).code = PLATFORM_LATE;
      }
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
      reject(
        Object.assign(new Error('the platform database did not answer in time'), { code: PLATFORM_LATE }),
      );
    }, timeoutMs);
    statement.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const LOST = new Set([PLATFORM_LATE, 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'PROTOCOL_CONNECTION_LOST']);

function isLost(error: unknown): boolean {
  return LOST.has(String((error as { code?: unknown }).code));
}
