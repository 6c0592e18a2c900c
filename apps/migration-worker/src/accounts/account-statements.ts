import { quoteText } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';

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

export const NO_LIMITS: AccountLimits = { connectionsMax: 0, statementSecondsMax: 0 };

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
