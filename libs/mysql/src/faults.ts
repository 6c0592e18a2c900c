import {
  AppError,
  NODE_NOT_READY,
  numbersOfKind,
  SERVER_SHUTDOWN,
  CONNECTION_KILLED,
  CONNECTION_GONE,
  CONNECTION_LOST,
  IDLE_SESSION_ENDED,
  NO_SUCH_TABLE,
  UNKNOWN_STATEMENT_HANDLE,
  STATEMENT_NEEDS_REPREPARE,
  LOCK_WAIT_TIMEOUT,
  LOCKED_NOWAIT,
  TOO_MANY_CONNECTIONS,
  TOO_MANY_USER_CONNECTIONS,
  ACCOUNT_LIMIT_REACHED,
  SCHEMA_ACCESS_DENIED,
  LOGIN_DENIED,
  HOST_NOT_ALLOWED,
  AUTHENTICATION_NOT_SUPPORTED,
  SECURE_AUTHENTICATION_REQUIRED,
  NO_SUCH_ACCOUNT,
  PLUGIN_NOT_LOADED,
  LOGIN_DENIED_WITHOUT_PASSWORD,
  PASSWORD_CHANGE_REQUIRED,
  PASSWORD_EXPIRED,
  MYSQL_ACCOUNT_LOCKED,
  TLS_REQUIRED,
  MARIADB_ACCOUNT_LOCKED,
  DUPLICATE_KEY,
  UNKNOWN_SCHEMA,
} from '@rowhouse/errors';

/** The server rejected a statement. The transaction is still open, unless the server reports otherwise. */
export class DatabaseFault extends Error {
  readonly errno: number;
  readonly sqlState: string;
  /** The server's text. It is for the log and for error mapping, never for a response body. */
  readonly sqlMessage: string;
  /**
   * Whether an earlier statement of the same job was already committed. The job must not be repeated then.
   */
  isBehindWrite = false;

  constructor(errno: number, sqlState: string, sqlMessage: string) {
    super(`database error ${errno} (${sqlState})`);
    this.name = 'DatabaseFault';
    this.errno = errno;
    this.sqlState = sqlState;
    this.sqlMessage = sqlMessage;
  }
}

/** The session was lost while a statement was running, so its outcome is unknown. */
export class ConnectionLostError extends Error {
  /** The statement was stopped because it exceeded its time limit. */
  readonly isTimeout: boolean;

  constructor(reason: string, isTimeout = false, cause?: unknown) {
    super(reason, { cause });
    this.name = 'ConnectionLostError';
    this.isTimeout = isTimeout;
  }
}

/** Writes of the account are paused. Nothing was sent. */
export class WritesPausedError extends Error {
  constructor() {
    super('the writes of this account are paused');
    this.name = 'WritesPausedError';
  }
}

interface DriverError extends Error {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly sqlState?: unknown;
  readonly sqlMessage?: unknown;
  readonly fatal?: unknown;
}

/**
 * The errors of a server shutdown, a killed session and an idle timeout. The server closes the session with
 * each of them.
 */
const SESSION_END_NUMBERS = new Set([
  SERVER_SHUTDOWN,
  CONNECTION_KILLED,
  CONNECTION_GONE,
  CONNECTION_LOST,
  IDLE_SESSION_ENDED,
]);

/**
 * A cluster node accepts connections but rejects statements, or it is a donor and should not be used
 * (`isDonor`).
 */
export class NodeUnavailableError extends Error {
  readonly isDonor: boolean;

  constructor(isDonor: boolean) {
    super(isDonor ? 'the node is sending its state to another node' : 'the node is not part of its cluster');
    this.name = 'NodeUnavailableError';
    this.isDonor = isDonor;
  }
}

/** Returns whether the node rejected the statement because it is not part of its cluster. */
export function isNodeUnavailable(fault: unknown): boolean {
  return (
    fault instanceof NodeUnavailableError ||
    (fault instanceof DatabaseFault && fault.errno === NODE_NOT_READY)
  );
}

/**
 * Returns whether the fault is error 1205. It means that a lock wait has expired, or that a Galera node
 * without a majority waited too long for the other nodes.
 */
export function isLockWaitTimeout(fault: unknown): boolean {
  return fault instanceof DatabaseFault && fault.errno === LOCK_WAIT_TIMEOUT;
}

/**
 * The errors of a prepared statement that must be prepared again: the server does not have the statement
 * (1243), asks for it to be prepared again (1615), or misses a table (1146). MariaDB stores the tables that
 * triggers write with the prepared statement, and looks for them even after the triggers and tables are
 * dropped.
 */
const STALE_HANDLE_NUMBERS = new Set([NO_SUCH_TABLE, UNKNOWN_STATEMENT_HANDLE, STATEMENT_NEEDS_REPREPARE]);

/** Returns whether the statement was never executed and may be prepared and sent again. */
export function isStaleHandle(fault: unknown): boolean {
  return fault instanceof DatabaseFault && STALE_HANDLE_NUMBERS.has(fault.errno);
}

/** The error numbers of a lock wait timeout and of a deadlock. After both, the statement was rolled back. */
const LOCK_FAULT_NUMBERS = numbersOfKind('retry');

/** Returns whether the rejected statement did nothing and may run again. */
export function isLockFault(fault: unknown): fault is DatabaseFault {
  return fault instanceof DatabaseFault && LOCK_FAULT_NUMBERS.has(fault.errno);
}

/** Returns whether an INSERT or UPDATE met a record with the same unique key. */
export function isDuplicateKey(fault: unknown): boolean {
  return fault instanceof DatabaseFault && fault.errno === DUPLICATE_KEY;
}

/**
 * The errors for a locked row with NOWAIT. MariaDB uses that of a lock wait timeout, and MySQL a separate
 * one.
 */
const ROW_LOCKED_NUMBERS = new Set([LOCK_WAIT_TIMEOUT, LOCKED_NOWAIT]);

/** Returns whether another transaction holds a row, as reported for NOWAIT or after a lock wait timeout. */
export function isRowLocked(fault: unknown): boolean {
  return fault instanceof DatabaseFault && ROW_LOCKED_NUMBERS.has(fault.errno);
}

/** Returns whether the server ends the session together with this error. */
export function isSessionEnd(errno: number): boolean {
  return SESSION_END_NUMBERS.has(errno);
}

/**
 * Converts an error of the driver to one of the classes above. An error about bound values is a defect of the
 * platform and is not converted.
 */
export function toPoolFault(thrownError: unknown): Error {
  if (thrownError instanceof DatabaseFault || thrownError instanceof ConnectionLostError) return thrownError;
  if (thrownError instanceof TypeError || thrownError instanceof RangeError) return thrownError;
  const error = thrownError as DriverError;
  const errno = typeof error.errno === 'number' ? error.errno : 0;
  if (typeof error.sqlState === 'string' && errno > 0 && !isSessionEnd(errno) && error.fatal !== true) {
    return new DatabaseFault(
      errno,
      error.sqlState,
      typeof error.sqlMessage === 'string' ? error.sqlMessage : error.message,
    );
  }
  return new ConnectionLostError(describeCode(error) || error.message, false, thrownError);
}

function describeCode(error: DriverError): string {
  return typeof error.code === 'string' ? error.code : '';
}

/**
 * The errors for too many connections: of the server, of the account at the same time, or of the account
 * within this hour.
 */
const CONNECTION_LIMIT_NUMBERS = new Set([
  TOO_MANY_CONNECTIONS,
  TOO_MANY_USER_CONNECTIONS,
  ACCOUNT_LIMIT_REACHED,
]);
/**
 * The errors that mean that the account cannot log in. It is missing, locked or expired; its password, plugin
 * or TLS requirement differs; or it has no right on its schema.
 */
const ACCOUNT_REFUSALS = new Set([
  SCHEMA_ACCESS_DENIED,
  LOGIN_DENIED,
  HOST_NOT_ALLOWED,
  AUTHENTICATION_NOT_SUPPORTED,
  SECURE_AUTHENTICATION_REQUIRED,
  NO_SUCH_ACCOUNT,
  PLUGIN_NOT_LOADED,
  LOGIN_DENIED_WITHOUT_PASSWORD,
  PASSWORD_CHANGE_REQUIRED,
  PASSWORD_EXPIRED,
  MYSQL_ACCOUNT_LOCKED,
  TLS_REQUIRED,
  MARIADB_ACCOUNT_LOCKED,
]);
const PLUGIN_REFUSALS = new Set(['AUTH_SWITCH_PLUGIN_ERROR']);

/** Returns whether the server rejected the account, which the platform can repair. */
export function isAccountRejection(error: unknown): boolean {
  const { errno, code } = error as DriverError;
  return (
    (typeof errno === 'number' && ACCOUNT_REFUSALS.has(errno)) ||
    (typeof code === 'string' && PLUGIN_REFUSALS.has(code))
  );
}

/** Converts the error of a failed attempt to open a session to an error for API clients. */
export function toConnectError(thrownError: unknown): AppError {
  const error = thrownError as DriverError;
  const internal = `connect: ${describeCode(error)} ${error.message}`;
  if (typeof error.errno === 'number' && CONNECTION_LIMIT_NUMBERS.has(error.errno))
    return busyError(internal, thrownError);
  if (error.errno === UNKNOWN_SCHEMA) return new AppError('db.missing', { internal, cause: thrownError });
  if (isAccountRejection(thrownError))
    return new AppError('db.account_refused', { retryAfterSeconds: 1, internal, cause: thrownError });
  return new AppError('db.unavailable', { retryAfterSeconds: 1, internal, cause: thrownError });
}

export function busyError(internal: string, cause?: unknown): AppError {
  return new AppError('limit.busy', { retryAfterSeconds: 1, internal, cause });
}

/**
 * Returns whether a connection failed because the server is unreachable. Otherwise the server rejected this
 * account.
 */
export function isServerUnreachable(error: unknown): boolean {
  return typeof (error as DriverError).sqlState !== 'string' || isNodeUnavailable(error);
}

export function crowdedError(): AppError {
  return busyError('too many callers wait for this server');
}

export function accountRejectedError(): AppError {
  return new AppError('db.account_refused', {
    retryAfterSeconds: 1,
    internal: 'the account was rejected a moment ago',
  });
}

/** @param cause the error of the last attempt, if there was one */
export function unreachableError(cause?: unknown): AppError {
  return toConnectError(cause ?? new Error('the server did not respond to recent attempts'));
}
