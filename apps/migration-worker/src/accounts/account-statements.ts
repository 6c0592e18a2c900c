import { type AdminConnection, quoteText } from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { AccountSpec } from './account-specs.js';
import { accountSecretPurpose, type AccountRecord, type TableRights } from '@rowhouse/contracts';
import { generatePassword } from '@rowhouse/credentials';
import type { WorkerContext } from '../worker-context.js';
import { ACCOUNT_SPECS, accountName } from './account-specs.js';

/**
 * Quotes an account that can log in from any host. The server's bind address and firewall restrict the hosts.
 */
export function quoteAccount(userName: string): string {
  return `${quoteText(userName)}@'%'`;
}

export interface AccountLimits {
  /** 0 for no limit of its own. */
  readonly connectionsMax: number;
  /** In seconds; 0 for none. On engines without such a limit per account, sessions set their own. */
  readonly statementSecondsMax: number;
}

/**
 * Returns statements that create the account, or set the password and limits of an existing one. Running them
 * twice has the same effect.
 */
export function accountStatements(
  server: WorkerServer,
  userName: string,
  password: string,
  limits: AccountLimits,
  requireTls: boolean,
): string[] {
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
 * Returns statements that create a platform account, or reset every attribute of an existing one: password,
 * TLS, limits, expiry and lock. They undo every change that others made to the account.
 */
export function platformAccountStatements(
  server: WorkerServer,
  userName: string,
  password: string,
  spec: AccountSpec,
): string[] {
  const account = quoteAccount(userName);
  const secret = `IDENTIFIED BY ${quoteText(password)}`;
  const { connectionsMax, statementSecondsMax } = spec.limits(server);
  const statementTime = server.capabilities?.maxStatementTimeForAll
    ? ` MAX_STATEMENT_TIME ${statementSecondsMax}`
    : '';
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
 * Returns the clause that requires the current password for a change, on engines that support it. Any account
 * may set its own password. Without the clause, a session from before a rotation could set another one.
 */
export function changeClause(server: WorkerServer): string {
  return server.capabilities?.twoPasswords === 'retain' ? ' PASSWORD REQUIRE CURRENT' : '';
}

function limitClauses(server: WorkerServer, limits: AccountLimits): string {
  const clauses = [];
  if (limits.connectionsMax > 0) clauses.push(`MAX_USER_CONNECTIONS ${limits.connectionsMax}`);
  if (limits.statementSecondsMax > 0 && server.capabilities?.maxStatementTimeForAll)
    clauses.push(`MAX_STATEMENT_TIME ${limits.statementSecondsMax}`);
  return clauses.length === 0 ? '' : ` WITH ${clauses.join(' ')}`;
}

/**
 * Ensures the platform's account on the tenant's server. It writes the row first and then creates the account
 * with the row's secret, so that the next run completes an interrupted one.
 */
export async function ensurePlatformAccount(
  ctx: Pick<WorkerContext, 'directory' | 'box' | 'failPoint'>,
  provisioner: AdminConnection,
  target: {
    readonly server: WorkerServer;
    readonly database: WorkerDatabase;
    readonly kind: AccountRecord['kind'];
    readonly rightsHash: string;
    readonly rights: TableRights | null;
  },
): Promise<WorkerAccount> {
  const { server, database, kind, rightsHash } = target;
  const purpose = accountSecretPurpose(database.id, kind, rightsHash);
  const account = await ctx.directory.ensureAccount({
    databaseId: database.id,
    kind,
    rightsHash,
    userName: accountName(database.schemaName, kind, rightsHash),
    secretSealed: ctx.box.seal(generatePassword(), purpose),
    rights: target.rights,
  });
  ctx.failPoint(`account-row-${kind}`);
  const password = ctx.box.open(account.secretSealed, purpose);
  for (const statement of platformAccountStatements(server, account.userName, password, ACCOUNT_SPECS[kind]))
    await provisioner.run(statement);
  ctx.failPoint(`account-made-${kind}`);
  return account;
}
