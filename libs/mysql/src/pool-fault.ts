import { AppError, numbersOfKind } from '@rowhouse/errors';

/** A statement that the server refused. The transaction it ran in is still open, unless the server says otherwise. */
export class DatabaseFault extends Error {
  readonly errno: number;
  readonly sqlState: string;
  /** The server's text: for the log and for the one mapping of errors, never for a body. */
  readonly sqlMessage: string;
  /** A statement before this one has committed: the job must not be run again. */
  isBehindWrite = false;

  constructor(errno: number, sqlState: string, sqlMessage: string) {
    super(`database error ${errno} (${sqlState})`);
    this.name = 'DatabaseFault';
    this.errno = errno;
    this.sqlState = sqlState;
    this.sqlMessage = sqlMessage;
  }
}

/** The session is gone while a statement was owed: what it did is unknown. */
export class ConnectionLost extends Error {
  /** The statement was cut off because it passed its time limit. */
  readonly isTimeout: boolean;

  constructor(reason: string, isTimeout = false, cause?: unknown) {
    super(reason, { cause });
    this.name = 'ConnectionLost';
    this.isTimeout = isTimeout;
  }
}

/** The account's writes are held: nothing was sent. */
export class AccountShut extends Error {
  constructor() {
    super('the writes of this account are held');
    this.name = 'AccountShut';
  }
}

interface DriverError extends Error {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly sqlState?: unknown;
  readonly sqlMessage?: unknown;
  readonly fatal?: unknown;
}

/** Server shutdown, killed session, idle time-out: the session is gone although an error packet came. */
const SESSION_END_NUMBERS = new Set([1053, 1927, 2006, 2013, 4031]);

/** A node of a cluster that does not take part in it: nothing was done, and another node may do it. */
export const NODE_NOT_READY = 1047;

/** The server could not end a transaction. On a cluster it may have reached the other nodes all the same. */
export const COMMIT_FAILED = 1180;

/** A node that takes connections, and no statements; or that would rather not (`isDonor`). */
export class NodeAway extends Error {
  readonly isDonor: boolean;

  constructor(isDonor: boolean) {
    super(isDonor ? 'the node fills another one' : 'the node does not take part in its cluster');
    this.name = 'NodeAway';
    this.isDonor = isDonor;
  }
}

/** Whether the node refused since it is no part of its cluster now. */
export function isNodeAway(fault: unknown): boolean {
  return fault instanceof NodeAway || (fault instanceof DatabaseFault && fault.errno === NODE_NOT_READY);
}

/** Somebody held the row for too long; or a node without a majority could not find out what the others had acknowledged, and has no number of its own for that. */
export function isWaitInVain(fault: unknown): boolean {
  return fault instanceof DatabaseFault && fault.errno === 1205;
}

/**
 * The server knows the statement no more (1243), wants it prepared anew (1615), or looks for a table that is gone (1146):
 * MariaDB keeps with a statement the tables that triggers wrote when it was prepared, and asks for them for as long as
 * the statement is kept, though neither these triggers nor their tables are there any more.
 */
const STALE_HANDLE_NUMBERS = new Set([1146, 1243, 1615]);

/** Whether the statement was never executed, and may be prepared and sent again. */
export function isStaleHandle(fault: unknown): boolean {
  return fault instanceof DatabaseFault && STALE_HANDLE_NUMBERS.has(fault.errno);
}

/** Lock wait time-out and deadlock: surely rolled back by then. */
const LOCK_FAULT_NUMBERS = numbersOfKind('retry');

/** Whether what was refused has done nothing, and may run again. */
export function isLockFault(fault: unknown): fault is DatabaseFault {
  return fault instanceof DatabaseFault && LOCK_FAULT_NUMBERS.has(fault.errno);
}

/** Whether the server ends the session together with what it answers. */
export function isSessionEnd(errno: number): boolean {
  return SESSION_END_NUMBERS.has(errno);
}

/** What the driver rejected with, as one of the two classes above; a fault of the values bound stays a defect of ours. */
export function toPoolFault(thrown: unknown): Error {
  if (thrown instanceof DatabaseFault || thrown instanceof ConnectionLost) return thrown;
  if (thrown instanceof TypeError || thrown instanceof RangeError) return thrown;
  const error = thrown as DriverError;
  const errno = typeof error.errno === 'number' ? error.errno : 0;
  if (typeof error.sqlState === 'string' && errno > 0 && !isSessionEnd(errno) && error.fatal !== true) {
    return new DatabaseFault(errno, error.sqlState, typeof error.sqlMessage === 'string' ? error.sqlMessage : error.message);
  }
  return new ConnectionLost(describeCode(error) || error.message, false, thrown);
}

function describeCode(error: DriverError): string {
  return typeof error.code === 'string' ? error.code : '';
}

/** Too many connections: of the server, of the account, of the account in this hour. */
const CONNECTION_LIMIT_NUMBERS = new Set([1040, 1203, 1226]);
const UNKNOWN_DATABASE = 1049;
/** The account is gone, locked or expired, or has another password, plugin, TLS requirement or no right on its schema. */
const ACCOUNT_REFUSALS = new Set([1044, 1045, 1130, 1251, 1275, 1396, 1524, 1698, 1820, 1862, 3118, 3159, 4151]);
const PLUGIN_REFUSALS = new Set(['AUTH_SWITCH_PLUGIN_ERROR']);

/** Whether the server refused the account, which the platform can repair. */
export function isAccountRefusal(thrown: unknown): boolean {
  const { errno, code } = thrown as DriverError;
  return (typeof errno === 'number' && ACCOUNT_REFUSALS.has(errno)) || (typeof code === 'string' && PLUGIN_REFUSALS.has(code));
}

/** Why no session could be opened, for the caller of the API. */
export function toConnectError(thrown: unknown): AppError {
  const error = thrown as DriverError;
  const internal = `connect: ${describeCode(error)} ${error.message}`;
  if (typeof error.errno === 'number' && CONNECTION_LIMIT_NUMBERS.has(error.errno)) return busyError(internal, thrown);
  if (error.errno === UNKNOWN_DATABASE) return new AppError('db.missing', { internal, cause: thrown });
  if (isAccountRefusal(thrown)) return new AppError('db.account_refused', { retryAfterSeconds: 1, internal, cause: thrown });
  return new AppError('db.unavailable', { retryAfterSeconds: 1, internal, cause: thrown });
}

export function busyError(internal: string, cause?: unknown): AppError {
  return new AppError('limit.busy', { retryAfterSeconds: 1, internal, cause });
}

/** Whether the failed connect tells that the server itself cannot be reached, not that it refused this account. */
export function isServerUnreachable(thrown: unknown): boolean {
  return typeof (thrown as DriverError).sqlState !== 'string' || isNodeAway(thrown);
}
