import { AppError, MYSQL_ACCOUNT_LOCKED, MARIADB_ACCOUNT_LOCKED } from '@rowhouse/errors';
import { readServerFault } from '@rowhouse/mysql';

/** Reasons for rejected logins, by error number. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [1044, 'the account has no rights on its schema'],
  [1045, 'the password was changed, or the account does not exist'],
  [1130, 'the account may not log in from here'],
  [1251, 'the account has another authentication plugin'],
  [1275, 'the account has another authentication plugin'],
  [1396, 'the account does not exist'],
  [1449, 'the account does not exist'],
  [1524, 'the account has another authentication plugin'],
  [1698, 'the account has another authentication plugin'],
  [1820, 'the password has expired'],
  [1862, 'the password has expired'],
  [3118, 'the account is locked'],
  [3159, 'the account requires TLS'],
  [4151, 'the account is locked'],
]);
const LOCKED: ReadonlySet<number> = new Set([MYSQL_ACCOUNT_LOCKED, MARIADB_ACCOUNT_LOCKED]);
/** The driver's error codes when it does not support the authentication method that the server requests. */
const PLUGIN_CODES: ReadonlySet<string> = new Set(['AUTH_SWITCH_PLUGIN_ERROR', 'HANDSHAKE_NO_SSL_SUPPORT']);

export interface LoginRejection {
  readonly errno: number;
  readonly reason: string;
  readonly isLocked: boolean;
}

/** Thrown when the account can log in but lacks rights that the platform granted. */
export class RightsMissingError extends Error {
  override readonly name = 'RightsMissingError';
}

/** Returns why the server rejected the account. Returns null when the failure has another cause. */
export function readLoginRejection(error: unknown): LoginRejection | null {
  if (error instanceof RightsMissingError) return { errno: 1044, reason: error.message, isLocked: false };
  const cause = error instanceof AppError ? error.cause : error;
  const fault = readServerFault(cause);
  if (fault !== null && PLUGIN_CODES.has(fault.code))
    return { errno: fault.errno, reason: 'the account has another authentication plugin', isLocked: false };
  const reason = REFUSALS.get(fault?.errno ?? 0);
  return fault === null || reason === undefined
    ? null
    : { errno: fault.errno, reason, isLocked: LOCKED.has(fault.errno) };
}

export function isAccountRejected(error: unknown): boolean {
  return error instanceof AppError && error.code === 'db.account_refused';
}
