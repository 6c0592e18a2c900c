import {
  copyTable,
  digestTable,
  listColumns,
  listTables,
  prepareCopySession,
  readRows,
} from './copy-tables.mjs';
import { SESSIONS, withConnection } from '../servers/mysql-admin.mjs';
import { CELL_SCHEMA, GLOBAL_SCHEMA, PLATFORM_ACCOUNTS } from './platform-accounts.mjs';
import { LauncherError } from '../report.mjs';

/**
 * Moves the platform database of an older installation from the server of tenants' databases to a separate
 * server.
 *
 * A schema on the target records the state of the move, so that a backup of the target contains both the
 * record and the copy:
 *
 * | State | Tenants' server | Target | A start that finds this |
 * |---|---|---|---|
 * | none | the only copy | nothing | begins |
 * | `copying` | the only copy; no process can log in | an unfinished copy | copies everything again |
 * | `copied` | an equal copy, perhaps partly dropped | the verified copy | compares what is left and drops it |
 * | `done` | nothing | the only copy | has nothing to do |
 *
 * No process of the product writes to the target before `done`, so at most one copy is ever written to.
 */

/**
 * @typedef {import('mysql2/promise').Connection} Connection
 * @typedef {import('./copy-tables.mjs').Column} Column
 *
 * @typedef {object} MoveOptions
 * @property {import('../servers/mysql-admin.mjs').MysqlAddress} from the server of tenants' databases
 * @property {import('../servers/mysql-admin.mjs').MysqlAddress} to
 * @property {boolean} isExpected whether an earlier start has finished with a platform database on `to`
 * @property {(address: import('../servers/mysql-admin.mjs').MysqlAddress) => Promise<void>} createTables
 *   creates or updates the platform tables, and throws for a platform database of another installation
 * @property {() => void} [onMove] called before anything is changed
 * @property {(step: string) => Promise<void> | void} [onStep] called after each step, for tests that stop there
 *
 * @typedef {object} Move
 * @property {MoveOptions} options
 * @property {Connection} from
 * @property {Connection} to
 * @property {(step: string) => Promise<void>} tell
 */

const SCHEMAS = [GLOBAL_SCHEMA, CELL_SCHEMA];
const MOVE_SCHEMA = 'rowhouse_move';
const LOCK = 'rowhouse_move';
/** The maximum time until all sessions of the dropped accounts have ended. */
const FENCE_TIMEOUT_MS = 10_000;

/**
 * @param {MoveOptions} options
 * @returns {Promise<boolean>} whether something was moved
 * @throws {LauncherError} when no move explains the data on the two servers, or a copy differs; nothing is
 *   dropped then
 */
export async function movePlatform(options) {
  return withConnection(options.to, (to) =>
    withConnection(options.from, async (from) => {
      await to.query('SET SESSION wait_timeout = 28800');
      await from.query('SET SESSION wait_timeout = 28800');
      const [held] = await readRows(to, 'SELECT GET_LOCK(?, 30) AS held', [LOCK]);
      if (Number(held?.['held']) !== 1)
        throw new LauncherError('Another process is moving the platform database.', {
          hint: 'Wait until it has ended, then start again.',
        });
      const tell = async (/** @type {string} */ step) => options.onStep?.(step);
      return moveWhatIsLeft({ options, from, to, tell });
    }),
  );
}

/** @param {Move} move */
async function moveWhatIsLeft(move) {
  const { options, from, to } = move;
  const [state, old, own] = [await readState(to), await listSchemas(from), await listSchemas(to)];
  if (old.length === 0) return finishWithoutSource(move, state, own);
  if (state === 'done' || (state === null && own.length > 0)) throw explainTwoCopies(options);
  options.onMove?.();
  if (state === 'copied' && (await isSourceUseless(move))) {
    await fenceSource(move);
    // The comparison is repeated after the accounts are dropped, because a process may have written until
    // then.
    if (await isSourceUseless(move)) return dropSource(move);
  }
  // This rejects a platform database that was created with other secrets, before its accounts are touched.
  await options.createTables(options.from);
  await move.tell('source updated');
  await writeState(to, 'copying');
  await move.tell('recorded');
  await fenceSource(move);
  for (const schema of own) await to.query(`DROP DATABASE ${schema}`);
  await move.tell('target emptied');
  await options.createTables(options.to);
  await move.tell('tables created');
  await copyEverything(move);
  await writeState(to, 'copied');
  await move.tell('copied');
  return dropSource(move);
}

/**
 * @param {Move} move
 * @param {string | null} state
 * @param {readonly string[]} own schemas on the target
 */
async function finishWithoutSource(move, state, own) {
  if (state === 'copied') return dropSource(move);
  if (state === 'copying' || (own.length < SCHEMAS.length && move.options.isExpected)) {
    const { host, port } = move.options.to;
    throw new LauncherError(
      `The platform database is not on ${host}:${port}, where this installation had stored it.`,
      {
        hint: 'Set PLATFORM_MYSQL_URL to its previous value, or restore a backup of the data folder.',
      },
    );
  }
  return false;
}

/** @param {MoveOptions} options */
function explainTwoCopies({ from, to }) {
  return new LauncherError(
    `There is a platform database on ${to.host}:${to.port} and another one on ${from.host}:${from.port}.`,
    {
      hint: [
        "The second address is the server of tenants' databases: an older version may have been started after the move.",
        `Back up both servers. Then drop the schemas ${SCHEMAS.join(' and ')} from ${from.host}:${from.port}.`,
        `To keep those instead, drop ${SCHEMAS.join(', ')} and ${MOVE_SCHEMA} from ${to.host}:${to.port}.`,
      ].join('\n'),
    },
  );
}

/**
 * Drops the accounts that write to the old copy and ends their sessions. A process that still runs then gets
 * errors, so it cannot acknowledge a write that the copy would miss. A start of the older version creates the
 * accounts again.
 * @param {Move} move
 */
async function fenceSource(move) {
  const { from } = move.options;
  const writers = PLATFORM_ACCOUNTS.filter((account) => account !== 'rh_migrate');
  await dropAccounts(move.from, PLATFORM_ACCOUNTS);
  const deadlineMs = Date.now() + FENCE_TIMEOUT_MS;
  for (;;) {
    const sql = `SELECT ID AS id FROM ${SESSIONS} WHERE USER IN (${writers.map(() => '?').join(', ')})`;
    const sessions = await readRows(move.from, sql, writers);
    if (sessions.length === 0) break;
    if (Date.now() > deadlineMs) {
      throw new LauncherError(
        `${sessions.length} sessions of the platform's processes are still open on ${from.host}:${from.port}.`,
        {
          hint: 'Stop the control plane, the workers and the gateways of this installation, then start again.',
        },
      );
    }
    // A session may end by itself first. Without the privilege to end it, the deadline above decides.
    for (const { id } of sessions) await move.from.query(`KILL ${Number(id)}`).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await move.tell('fenced');
}

/** @param {Connection} connection @param {readonly string[]} accounts */
async function dropAccounts(connection, accounts) {
  const found = await readRows(
    connection,
    `SELECT User AS user, Host AS host FROM mysql.user WHERE User IN (${accounts.map(() => '?').join(', ')})`,
    accounts,
  );
  for (const { user, host } of found) await connection.query('DROP USER ?@?', [user, host]);
}

/** @param {Move} move */
async function copyEverything(move) {
  const { from, to } = move;
  await prepareCopySession(from);
  await prepareCopySession(to);
  for (const { schema, table, columns } of await matchTables(move)) {
    await to.query('START TRANSACTION');
    const read = await copyTable({ from, to, schema, table, columns });
    await to.query('COMMIT');
    const written = await digestTable(to, schema, table, columns);
    if (written.rows !== read.rows || written.sum !== read.sum) {
      throw new LauncherError(
        `The copy of ${schema}.${table} differs: ${written.rows} rows instead of ${read.rows}, or other values.`,
        {
          hint: 'Nothing was dropped. Start again to copy everything once more.',
        },
      );
    }
    await move.tell(`copied ${schema}.${table}`);
  }
}

/**
 * Lists what to copy, once both servers have the tables of this version.
 * @param {Move} move
 * @returns {Promise<{schema: string, table: string, columns: Column[]}[]>}
 * @throws {LauncherError} for anything on the source that has no equal on the target
 */
async function matchTables({ from, to, options }) {
  const found = [];
  for (const schema of SCHEMAS) {
    const targets = new Set((await listTables(to, schema)).map(({ name }) => name));
    for (const { name, isTable } of await listTables(from, schema)) {
      const columns = await listColumns(from, schema, name);
      const kinds = new Map(
        (await listColumns(to, schema, name)).map((column) => [column.name, column.kind]),
      );
      const missing = columns.find((column) => !kinds.has(column.name));
      if (!isTable || !targets.has(name) || missing !== undefined) {
        const what =
          missing === undefined || !isTable || !targets.has(name)
            ? `${schema}.${name}`
            : `${schema}.${name}.${missing.name}`;
        throw new LauncherError(
          `${what} on ${options.from.host}:${options.from.port} does not belong to the platform database.`,
          {
            hint: 'Move it to another schema, or drop it. Then start again.',
          },
        );
      }
      // On MariaDB, JSON is text with a check constraint.
      found.push({
        schema,
        table: name,
        columns: columns.map((item) =>
          kinds.get(item.name) === 'json' ? { ...item, kind: /** @type {const} */ ('json') } : item,
        ),
      });
    }
  }
  return found;
}

/**
 * Returns whether the target contains everything that is left of the old copy. The old copy can then be
 * dropped.
 * @param {Move} move
 * @throws {LauncherError} when rows differ and the old copy has lost tables: neither copy is complete then
 */
async function isSourceUseless(move) {
  const { from, to } = move;
  await prepareCopySession(from);
  await prepareCopySession(to);
  const tables = await matchTables(move).catch(() => null);
  for (const { schema, table, columns } of tables ?? []) {
    const [item, other] = [
      await digestTable(from, schema, table, columns),
      await digestTable(to, schema, table, columns),
    ];
    if (item.rows !== other.rows || item.sum !== other.sum) return rejectLostTables(move);
  }
  return tables === null ? rejectLostTables(move) : true;
}

/**
 * Rejects if the new server has tables that the old one lacks. The new server is then the only complete copy.
 * @param {Move} move
 * @returns {Promise<false>} false if the old server has all tables, so that they can be copied again
 */
async function rejectLostTables({ from, to, options }) {
  for (const schema of SCHEMAS) {
    const left = new Set((await listTables(from, schema)).map(({ name }) => name));
    if ((await listTables(to, schema)).some(({ name }) => !left.has(name))) throw explainTwoCopies(options);
  }
  return false;
}

/** @param {Move} move */
async function dropSource(move) {
  for (const schema of SCHEMAS) {
    await move.from.query(`DROP DATABASE IF EXISTS ${schema}`);
    await move.tell(`dropped ${schema}`);
  }
  await dropAccounts(move.from, PLATFORM_ACCOUNTS);
  await move.tell('dropped accounts');
  await writeState(move.to, 'done');
  await move.tell('done');
  return true;
}

/** @param {Connection} connection @returns {Promise<string[]>} */
async function listSchemas(connection) {
  const rows = await readRows(
    connection,
    'SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME IN (?, ?)',
    SCHEMAS,
  );
  return rows.map(({ name }) => String(name));
}

/** @param {Connection} connection @returns {Promise<string | null>} */
async function readState(connection) {
  const sql =
    "SELECT COUNT(*) AS found FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = 'state'";
  const [table] = await readRows(connection, sql, [MOVE_SCHEMA]);
  if (Number(table?.['found']) === 0) return null;
  const [row] = await readRows(connection, `SELECT state FROM ${MOVE_SCHEMA}.state WHERE id = 1`);
  return row === undefined ? null : String(row['state']);
}

/** @param {Connection} connection @param {'copying' | 'copied' | 'done'} state */
async function writeState(connection, state) {
  await connection.query(
    `CREATE DATABASE IF NOT EXISTS ${MOVE_SCHEMA} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
  );
  await connection.query(
    `CREATE TABLE IF NOT EXISTS ${MOVE_SCHEMA}.state
      (id tinyint PRIMARY KEY, state varchar(16) NOT NULL, changed_at datetime(3) NOT NULL) ENGINE=InnoDB`,
  );
  await connection.query(`REPLACE INTO ${MOVE_SCHEMA}.state VALUES (1, ?, UTC_TIMESTAMP(3))`, [state]);
}
