import type { AdminConnection } from '@rowhouse/mysql';
import type { EngineKind } from '@rowhouse/schema-model';
import type { StoredPassword } from './repair/stored-password.js';

/** An account as stored in the server's own tables. */
export interface ServerAccount extends StoredPassword {
  readonly userName: string;
  readonly isLocked: boolean;
  readonly isExpired: boolean;
  readonly connectionsMax: number;
  readonly tls: 'none' | 'any' | 'certificate';
  /** Whether the account has global rights or roles. */
  readonly hasGlobalRights: boolean;
}

export interface GrantRow {
  readonly userName: string;
  readonly schema: string;
  /** The name of the table; '' for the whole schema. */
  readonly table: string;
  /** The names of the rights, as in GRANT. */
  readonly rights: ReadonlySet<string>;
}

export interface ServerAccounts {
  readonly accounts: ReadonlyMap<string, ServerAccount>;
  readonly grants: readonly GrantRow[];
}

/** The condition for accounts that can log in from any host, as the platform's accounts can. */
const ANYWHERE = "Host = '%'";

const READERS: Readonly<Record<EngineKind, (admin: AdminConnection) => Promise<ServerAccount[]>>> = {
  mariadb: readMariadb,
  mysql: readMysql,
};

/**
 * Reads all accounts of a server and their rights in a few statements.
 * The provisioner has SELECT on everything.
 */
export async function readAccounts(admin: AdminConnection, engine: EngineKind): Promise<ServerAccounts> {
  const accounts = await READERS[engine](admin);
  const grants = [...(await readSchemaGrants(admin)), ...(await readTableGrants(admin))];
  return { accounts: new Map(accounts.map((account) => [account.userName, account])), grants };
}

interface GlobalPriv {
  readonly access?: number | string;
  readonly plugin?: string;
  readonly authentication_string?: string;
  readonly auth_or?: unknown;
  readonly account_locked?: boolean;
  readonly password_last_changed?: number;
  readonly max_user_connections?: number;
  readonly ssl_type?: number;
  readonly is_role?: boolean;
}

const TLS_KINDS = ['none', 'any', 'certificate', 'certificate'] as const;

async function readMariadb(admin: AdminConnection): Promise<ServerAccount[]> {
  const rows = await admin.rows<{ user: string; priv: string | GlobalPriv }>(
    `SELECT User AS user, Priv AS priv FROM mysql.global_priv WHERE ${ANYWHERE}`,
  );
  const roles = await admin.rows<{ user: string }>(
    `SELECT DISTINCT User AS user FROM mysql.roles_mapping WHERE ${ANYWHERE}`,
  );
  const holders = new Set(roles.map(({ user }) => user));
  return rows.map(({ user, priv }) => {
    // If the server declares the value as JSON, the driver has already parsed it.
    const entry = typeof priv === 'string' ? (JSON.parse(priv) as GlobalPriv) : priv;
    return {
      userName: user,
      plugin: entry.plugin ?? 'mysql_native_password',
      stored: Buffer.from(entry.authentication_string ?? '', 'latin1'),
      isLocked: entry.account_locked === true,
      isExpired: entry.password_last_changed === 0,
      connectionsMax: Number(entry.max_user_connections ?? 0),
      tls: TLS_KINDS[entry.ssl_type ?? 0] ?? 'certificate',
      hasGlobalRights: Number(entry.access ?? 0) !== 0 || holders.has(user),
    };
  });
}

interface MysqlUser {
  readonly user: string;
  readonly plugin: string;
  readonly hash: Buffer;
  readonly locked: string;
  readonly expired: string;
  readonly connections: number;
  readonly tls: string;
  readonly rights: string;
}

async function readMysql(admin: AdminConnection): Promise<ServerAccount[]> {
  const columns = await admin.rows<{ name: string }>(
    `SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'mysql' AND TABLE_NAME = 'user' AND COLUMN_NAME LIKE '%\\_priv'`,
  );
  const rows = await admin.rows<MysqlUser>(
    `SELECT User AS user, plugin, CAST(authentication_string AS BINARY) AS hash, account_locked AS locked, password_expired AS expired, max_user_connections AS connections,
       CAST(ssl_type AS CHAR) AS tls, CONCAT(${columns.map(({ name }) => `\`${name}\``).join(', ')}) AS rights FROM mysql.user WHERE ${ANYWHERE}`,
  );
  const more = await admin.rows<{ user: string }>(
    `SELECT USER AS user FROM mysql.global_grants WHERE ${ANYWHERE} UNION SELECT TO_USER FROM mysql.role_edges WHERE TO_HOST = '%'`,
  );
  const holders = new Set(more.map(({ user }) => user));
  return rows.map((row) => ({
    userName: row.user,
    plugin: row.plugin,
    stored: Buffer.from(row.hash),
    isLocked: row.locked === 'Y',
    isExpired: row.expired === 'Y',
    connectionsMax: Number(row.connections),
    tls: row.tls === '' ? 'none' : row.tls === 'ANY' ? 'any' : 'certificate',
    hasGlobalRights: row.rights.includes('Y') || holders.has(row.user),
  }));
}

const PRIV_COLUMNS: Readonly<Record<string, string>> = {
  create_tmp_table: 'CREATE TEMPORARY TABLES',
  grant: 'GRANT OPTION',
  delete_history: 'DELETE HISTORY',
};

async function readSchemaGrants(admin: AdminConnection): Promise<GrantRow[]> {
  const columns = await admin.rows<{ name: string }>(
    `SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'mysql' AND TABLE_NAME = 'db' AND COLUMN_NAME LIKE '%\\_priv' ORDER BY ORDINAL_POSITION`,
  );
  const names = columns.map(({ name }) => {
    const right = name.replace(/_priv$/i, '').toLowerCase();
    return PRIV_COLUMNS[right] ?? right.replaceAll('_', ' ').toUpperCase();
  });
  const rows = await admin.rows<{ user: string; db: string; flags: string }>(
    `SELECT User AS user, Db AS db, CONCAT(${columns.map(({ name }) => `\`${name}\``).join(', ')}) AS flags FROM mysql.db WHERE ${ANYWHERE}`,
  );
  // Accounts with the same rights share one set, because thousands of accounts have only a few different
  // sets.
  const patterns = new Map<string, ReadonlySet<string>>();
  return rows.map(({ user, db, flags }) => {
    const rights = patterns.get(flags) ?? new Set(names.filter((_, index) => flags[index] === 'Y'));
    patterns.set(flags, rights);
    return { userName: user, schema: db.replaceAll('\\_', '_'), table: '', rights };
  });
}

async function readTableGrants(admin: AdminConnection): Promise<GrantRow[]> {
  const rows = await admin.rows<{
    user: string;
    db: string;
    name: string;
    rights: string;
    on_columns: string;
  }>(
    `SELECT User AS user, Db AS db, Table_name AS name, CAST(Table_priv AS CHAR) AS rights, CAST(Column_priv AS CHAR) AS on_columns FROM mysql.tables_priv WHERE ${ANYWHERE}
     UNION ALL SELECT User, Db, Routine_name, CAST(Proc_priv AS CHAR), '' FROM mysql.procs_priv WHERE ${ANYWHERE}`,
  );
  const split = (listed: string): string[] =>
    listed
      .split(',')
      .filter((right) => right !== '')
      .map((right) => (right === 'Grant' ? 'GRANT OPTION' : right.toUpperCase()));
  return rows.map(({ user, db, name, rights, on_columns: columns }) => ({
    userName: user,
    schema: db,
    table: name,
    rights: new Set([...split(rights), ...split(columns)]),
  }));
}
