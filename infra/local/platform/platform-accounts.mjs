import { runStatements } from '../servers/mysql-admin.mjs';

export const GLOBAL_SCHEMA = 'rowhouse_global';
export const CELL_SCHEMA = 'rowhouse_cell';

/**
 * The accounts of the platform database, one per process. Each has only the privileges that its process
 * needs.
 */
export const PLATFORM_ACCOUNTS = /** @type {const} */ ([
  'rh_migrate',
  'rh_control',
  'rh_worker',
  'rh_gateway',
]);

/** @typedef {(typeof PLATFORM_ACCOUNTS)[number]} PlatformAccount */

const ROWS = 'SELECT, INSERT, UPDATE, DELETE';

/**
 * The gateway reads where databases are, and writes its own leases and counters. It cannot create a key or
 * move a database.
 */
/** @type {readonly {rights: string, tables: readonly string[]}[]} */
const GATEWAY_GRANTS = [
  {
    rights: 'SELECT',
    tables: [
      'server',
      'tenant_database',
      'database_account',
      'api_key',
      'snapshot',
      'snapshot_content',
      'change_log',
      'change_log_head',
      'accepted_question',
      'synonym',
      'project_model',
    ],
  },
  { rights: 'SELECT (id, cell_id, database_id, state)', tables: ['migration'] },
  { rights: ROWS, tables: ['gateway_lease', 'server_lease', 'detect_request', 'repair_request'] },
  {
    rights: 'SELECT, INSERT, UPDATE',
    tables: ['usage_minute', 'key_use_day', 'model_use_day', 'value_index'],
  },
  { rights: 'INSERT', tables: ['request_log', 'question_log'] },
  { rights: 'UPDATE (last_used_at)', tables: ['api_key'] },
];

/**
 * Creates the schemas and accounts, before there are tables.
 * @param {import('../servers/mysql-admin.mjs').MysqlAddress} admin
 * @param {string} accountHost the address that accounts log in from: `127.0.0.1` or `%`
 * @param {Record<PlatformAccount, string>} passwords
 * @param {readonly PlatformAccount[]} accounts the accounts to create or to give a new password
 */
export async function createPlatformAccounts(admin, accountHost, passwords, accounts = PLATFORM_ACCOUNTS) {
  const schemas = [GLOBAL_SCHEMA, CELL_SCHEMA];
  await runStatements(admin, [
    ...schemas.map(
      (schema) => `CREATE DATABASE IF NOT EXISTS ${schema} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
    ),
    ...accounts.flatMap((account) => listAccountStatements(account, accountHost, passwords[account])),
    ...(accounts.includes('rh_migrate')
      ? schemas.map(
          (schema) => `GRANT ALL PRIVILEGES ON ${escapeSchema(schema)}.* TO 'rh_migrate'@'${accountHost}'`,
        )
      : []),
  ]);
}

/**
 * Grants the privileges on the tables, once the tables exist.
 * @param {import('../servers/mysql-admin.mjs').MysqlAddress} admin
 * @param {string} accountHost
 */
export async function grantPlatformRights(admin, accountHost) {
  const gateway = GATEWAY_GRANTS.flatMap(({ rights, tables }) =>
    tables.map((table) => `GRANT ${rights} ON ${CELL_SCHEMA}.${table} TO 'rh_gateway'@'${accountHost}'`),
  );
  await runStatements(admin, [
    `GRANT ${ROWS} ON ${escapeSchema(GLOBAL_SCHEMA)}.* TO 'rh_control'@'${accountHost}'`,
    `GRANT ${ROWS} ON ${escapeSchema(CELL_SCHEMA)}.* TO 'rh_control'@'${accountHost}'`,
    `GRANT ${ROWS} ON ${escapeSchema(CELL_SCHEMA)}.* TO 'rh_worker'@'${accountHost}'`,
    ...gateway,
  ]);
}

/**
 * @param {string} account
 * @param {string} host
 * @param {string} password
 */
export function listAccountStatements(account, host, password) {
  if (!/^[\w-]+$/.test(password))
    throw new Error(`the password of ${account} contains characters other than letters, digits, - and _`);
  return [
    `CREATE USER IF NOT EXISTS '${account}'@'${host}' IDENTIFIED BY '${password}'`,
    `ALTER USER '${account}'@'${host}' IDENTIFIED BY '${password}'`,
  ];
}

/**
 * Escapes a schema name for GRANT, where `_` matches any character. Unescaped, the privilege would cover
 * other schemas too.
 * @param {string} schema
 */
function escapeSchema(schema) {
  return `\`${schema.replaceAll('_', '\\_')}\``;
}
