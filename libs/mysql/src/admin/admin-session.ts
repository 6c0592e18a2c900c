import {
  NODE_NOT_READY,
  SERVER_SHUTDOWN,
  CONNECTION_KILLED,
  CONNECTION_GONE,
  CONNECTION_LOST,
  IDLE_SESSION_ENDED,
} from '@rowhouse/errors';
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { inTime } from '@rowhouse/runtime';
import { quoteLongTexts } from '../introspect/quote-texts.js';

/**
 * A value that is bound to a placeholder. The type excludes objects and arrays, because the driver would
 * expand them into SQL.
 */
export type AdminValue = string | number | bigint | Buffer | null;
export type AdminRow = Readonly<Record<string, unknown>>;

/** Runs statements on a pool of connections, or inside a transaction on one of its connections. */
export interface AdminSession {
  rows<T = AdminRow>(sql: string, values?: readonly AdminValue[]): Promise<T[]>;
  /** Runs a statement without result rows, and returns how many rows it changed. */
  run(sql: string, values?: readonly AdminValue[]): Promise<{ affectedRows: number; insertId: number }>;
}

/** Wraps a connection or a pool of the driver as an `AdminSession`. */
export function toAdminSession(connection: Pick<Connection, 'query'>): AdminSession {
  return {
    async rows<T>(sql: string, values: readonly AdminValue[] = []): Promise<T[]> {
      const [rows] = await connection.query<RowDataPacket[]>(sql, quoteLongTexts(values));
      return rows as unknown as T[];
    },
    async run(sql, values = []) {
      const [result] = await connection.query<ResultSetHeader>(sql, quoteLongTexts(values));
      return { affectedRows: result.affectedRows ?? 0, insertId: result.insertId ?? 0 };
    },
  };
}

/**
 * The server did not respond in time. Error handling treats this error as a lost connection, because the
 * connection was closed.
 */
export class ResponseTimeoutError extends Error {
  readonly code = 'PROTOCOL_SEQUENCE_TIMEOUT';
  readonly fatal = true;
}

/** An error from the server. Its text is for logs and authors of schemas, never for clients of the API. */
export interface ServerFault {
  /** The server's error number, or 0 for a fault of the connection itself. */
  readonly errno: number;
  readonly code: string;
  readonly message: string;
  /** The connection is lost, so it is unknown whether the statement took effect. */
  readonly isConnectionLost: boolean;
}

const LOST_CODES = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'PROTOCOL_ENQUEUE_AFTER_QUIT',
]);

/**
 * The errors that end a session: the server shuts down, the session was killed, or the node left its cluster.
 */
const LOST_NUMBERS = new Set([
  NODE_NOT_READY,
  SERVER_SHUTDOWN,
  CONNECTION_KILLED,
  CONNECTION_GONE,
  CONNECTION_LOST,
  IDLE_SESSION_ENDED,
]);

/**
 * The driver's message for a statement on a connection that is already closed. The driver's error has no
 * code.
 */
const SENT_TOO_LATE = "Can't add new command when connection is in closed state";

/** Returns the fault of a driver error, or null when `thrownError` did not come from the driver. */
export function readServerFault(thrownError: unknown): ServerFault | null {
  if (!(thrownError instanceof Error)) return null;
  const error = thrownError as Error & {
    errno?: unknown;
    code?: unknown;
    sqlState?: unknown;
    sqlMessage?: unknown;
    fatal?: unknown;
  };
  const errno = typeof error.errno === 'number' && error.errno > 0 ? error.errno : 0;
  // The driver knows only some error numbers by name. Others, such as 1901 and 1969 of MariaDB, have an
  // SQLSTATE but no code.
  const isServerPacket = errno > 0 && typeof error.sqlState === 'string';
  const code =
    typeof error.code === 'string'
      ? error.code
      : isServerPacket
        ? `ER_${errno}`
        : error.message === SENT_TOO_LATE
          ? 'PROTOCOL_CONNECTION_LOST'
          : null;
  if (code === null) return null;
  const message = typeof error.sqlMessage === 'string' ? error.sqlMessage : error.message;
  const isConnectionLost = LOST_CODES.has(code) || LOST_NUMBERS.has(errno);
  if (errno === 0 && !isConnectionLost && error.fatal !== true) return null;
  return { errno, code, message, isConnectionLost };
}

/**
 * Returns a session whose statements reject when their response is late. `drop` is called then to end the
 * connection, because the late response could still arrive on it. The driver itself would never settle the
 * promise.
 */
export function limitResponseTime(
  session: AdminSession,
  timeoutMs: () => number,
  drop: () => void,
): AdminSession {
  const toFault = (): ResponseTimeoutError => {
    drop();
    return new ResponseTimeoutError('the database did not respond in time');
  };
  const bounded = <T>(statement: Promise<T>): Promise<T> => inTime(statement, timeoutMs(), toFault);
  return {
    rows: <T>(sql: string, values?: Parameters<AdminSession['rows']>[1]) =>
      bounded(session.rows<T>(sql, values)),
    run: (sql, values) => bounded(session.run(sql, values)),
  };
}
