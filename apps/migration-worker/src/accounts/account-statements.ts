import { quoteName, quoteText } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';

import {
  IDEMPOTENCY_TABLE,
  sideSchemaName,
  VALUE_INDEX_TABLE,
  type AccountRecord,
} from '@rowhouse/contracts';
import { ALL_SCHEMA_RIGHTS, ROW_RIGHTS } from './grants/schema-rights.js';

const LETTERS: Readonly<Record<AccountRecord['kind'], string>> = {
  rows: 'r',
  query: 'q',
  query_write: 'w',
  migrator: 'm',
};

/** The maximum length of a user name on MySQL, in characters. MariaDB allows 80. */
const USER_NAME_MAX = 32;

/** Rights on one object, named as in a GRANT statement. */
export interface ObjectGrant {
  /** The quoted object: a schema with `.*`, or a table. */
  readonly object: string;
  readonly rights: string;
}

/** The required state of one platform account of a database on its server. */
interface AccountSpec {
  /** Whether the account is locked, except while a worker opens a session. */
  readonly isLocked: boolean;
  /**
   * Whether the account has rights by table, which depend on the database's
   * settings and tables. See `grantOn`.
   */
  readonly hasTableGrants: boolean;
  readonly limits: (server: Pick<WorkerServer, 'connectionsMax'>) => AccountLimits;
  readonly grants: (schemaName: string) => readonly ObjectGrant[];
}

/**
 * The maximum number of worker sessions for one database. They are used for a migration, its lock gates,
 * exports, a move, and an introspection of the schema.
 */
const MIGRATOR_CONNECTIONS_MAX = 64;

/**
 * The limits of an account for queries. Each gateway runs at most two statements at a time for a database and
 * ends streams after 60 s. The server's limits are higher, so that the gateway's limits apply first.
 */
const QUERY_LIMITS: AccountLimits = { connectionsMax: 24, statementSecondsMax: 65 };

/** The number of sessions that gateways may open without a lease: eight for each of ten gateways. */
const GATEWAY_FLOORS = 80;

const onSchema = (schemaName: string): string => `${quoteName(schemaName)}.*`;

const onSide = (schemaName: string, table: string): string =>
  `${quoteName(sideSchemaName(schemaName))}.${quoteName(table)}`;

/** The spec of each kind of account. Provisioning, repair and the account sweep use it. */
export const ACCOUNT_SPECS: Readonly<Record<AccountRecord['kind'], AccountSpec>> = {
  rows: {
    isLocked: false,
    hasTableGrants: false,
    // The limit is above the number of sessions that all gateways lease together. With a lower limit, the
    // server would reject a session that a gateway has leased.
    limits: ({ connectionsMax }) => ({
      connectionsMax: connectionsMax + GATEWAY_FLOORS,
      statementSecondsMax: 0,
    }),
    grants: (schemaName) => [
      { object: onSchema(schemaName), rights: ROW_RIGHTS },
      { object: onSide(schemaName, IDEMPOTENCY_TABLE), rights: ROW_RIGHTS },
      { object: onSide(schemaName, VALUE_INDEX_TABLE), rights: 'SELECT' },
    ],
  },
  query: { isLocked: false, hasTableGrants: true, limits: () => QUERY_LIMITS, grants: () => [] },
  query_write: { isLocked: false, hasTableGrants: true, limits: () => QUERY_LIMITS, grants: () => [] },
  migrator: {
    isLocked: true,
    hasTableGrants: false,
    limits: () => ({ connectionsMax: MIGRATOR_CONNECTIONS_MAX, statementSecondsMax: 0 }),
    grants: (schemaName) => [
      { object: onSchema(schemaName), rights: ALL_SCHEMA_RIGHTS },
      { object: `${quoteName(sideSchemaName(schemaName))}.*`, rights: ALL_SCHEMA_RIGHTS },
    ],
  },
};
/**
 * Quotes an account that can log in from any host. Which hosts can reach the server is decided by its bind
 * address and firewall.
 */
export function quoteAccount(userName: string): string {
  return `${quoteText(userName)}@'%'`;
}

export interface AccountLimits {
  /** The maximum number of sessions. 0 means that only the server's limit applies. */
  readonly connectionsMax: number;
  /**
   * The maximum run time of a statement in seconds; 0 for no limit. On an engine without such a limit for
   * accounts, each session sets its own limit.
   */
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
 * TLS, limits, expiry and lock. The statements also undo any change that someone else has made to the
 * account.
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
 * Returns the clause that requires the current password when an account changes its own password, on engines
 * that support the clause. Without it, a session from before a password rotation could set another password.
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
 * Returns the account's name: `<schema>r`, `<schema>q`, `<schema>w` or `<schema>m`. An account with narrowed
 * rights also gets the first characters of their hash.
 */
export function accountName(schemaName: string, kind: AccountRecord['kind'], rightsHash: string): string {
  const name = `${schemaName}${LETTERS[kind]}`;
  const capacity = USER_NAME_MAX - name.length;
  if (capacity < (rightsHash === '' ? 0 : 8))
    throw new Error(`the schema name ${schemaName} is too long for account names`);
  return name + rightsHash.slice(0, Math.min(capacity, 12));
}
