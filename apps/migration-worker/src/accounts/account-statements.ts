import { quoteText } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { AccountSpec } from './account-specs.js';

/** Accounts may log in from anywhere: the server's bind address and its firewall say from where. */
export function quoteAccount(userName: string): string {
  return `${quoteText(userName)}@'%'`;
}

export interface AccountLimits {
  /** 0: none of its own. */
  readonly connectionsMax: number;
  /** Seconds; 0: none. Where the engine has no such limit for an account, sessions set their own. */
  readonly statementSecondsMax: number;
}

/** Makes the account if it is not there and sets its password and limits if it is: the same after one run or two. */
export function accountStatements(server: WorkerServer, userName: string, password: string, limits: AccountLimits, requireTls: boolean): string[] {
  const account = quoteAccount(userName);
  const secret = `IDENTIFIED BY ${quoteText(password)}`;
  const tls = requireTls ? ' REQUIRE SSL' : '';
  const options = `${limitClauses(server, limits)}${changeClause(server)}`;
  return [
    `CREATE USER IF NOT EXISTS ${account} ${secret}${tls}${options}`,
    `ALTER USER ${account} ${secret}${tls}${options}`,
  ];
}

/**
 * Returns statements that create a platform account, or set every attribute of an existing one: password, TLS, limits,
 * expiry and lock. Nothing that somebody else set on the account is left.
 */
export function platformAccountStatements(server: WorkerServer, userName: string, password: string, spec: AccountSpec): string[] {
  const account = quoteAccount(userName);
  const secret = `IDENTIFIED BY ${quoteText(password)}`;
  const { connectionsMax, statementSecondsMax } = spec.limits(server);
  const statementTime = server.capabilities?.maxStatementTimeForAll ? ` MAX_STATEMENT_TIME ${statementSecondsMax}` : '';
  const limits = `WITH MAX_QUERIES_PER_HOUR 0 MAX_UPDATES_PER_HOUR 0 MAX_CONNECTIONS_PER_HOUR 0 MAX_USER_CONNECTIONS ${connectionsMax}${statementTime}`;
  const tls = server.tls === 'required' ? 'SSL' : 'NONE';
  const rest = `REQUIRE ${tls} ${limits} PASSWORD EXPIRE NEVER${changeClause(server)} ACCOUNT ${spec.isLocked ? 'LOCK' : 'UNLOCK'}`;
  return [
    `CREATE USER IF NOT EXISTS ${account} ${secret} ${rest}`,
    `ALTER USER ${account} ${secret} ${rest}`,
    ...(server.capabilities?.twoPasswords === 'retain' ? [`ALTER USER ${account} DISCARD OLD PASSWORD`] : []),
  ];
}

/**
 * Any account may set its own password. Where the engine can, it has to know the one that holds: else a session from before a
 * rotation gives itself another.
 */
export function changeClause(server: WorkerServer): string {
  return server.capabilities?.twoPasswords === 'retain' ? ' PASSWORD REQUIRE CURRENT' : '';
}

function limitClauses(server: WorkerServer, limits: AccountLimits): string {
  const clauses = [];
  if (limits.connectionsMax > 0) clauses.push(`MAX_USER_CONNECTIONS ${limits.connectionsMax}`);
  if (limits.statementSecondsMax > 0 && server.capabilities?.maxStatementTimeForAll) clauses.push(`MAX_STATEMENT_TIME ${limits.statementSecondsMax}`);
  return clauses.length === 0 ? '' : ` WITH ${clauses.join(' ')}`;
}
