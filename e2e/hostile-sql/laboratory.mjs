// @ts-check
/**
 * Provides a server that may be harmed. It has the schemas of two tenants, an account with nearly every
 * privilege and one that only reads. It can take a snapshot of everything that a statement could change.
 */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTerminalReport } from '@rowhouse/local/report';
import { startTestServers } from '@rowhouse/test-servers/start-test-servers';
import mysql from 'mysql2/promise';

/** @typedef {import('mysql2/promise').Connection} Connection */

export const NAMES = { own: 'ptenantone', victim: 'ptenanttwo', low: 'lowaccount' };
export const CANARIES = ['canary-victim-7f3a', 'canary-vault-91bc', 'canary-file-55de'];
const PASSWORD = 'Lab0ratory!word';
const GLOBALS = ['max_allowed_packet', 'wait_timeout', 'long_query_time'];
const WATCHED = `('${NAMES.own}', '${NAMES.victim}')`;

/**
 * @typedef {object} Laboratory
 * @property {'mariadb' | 'mysql'} engine
 * @property {string} version
 * @property {{ own: string, victim: string, files: string, low: string }} names
 * @property {RegExp[]} secrets patterns of texts that reveal the server
 * @property {Connection} root
 * @property {(user: 'boss' | 'reader', isMulti: boolean) => Promise<Connection>} open
 * @property {() => Promise<string[]>} check takes a snapshot of everything that can change, part by part
 * @property {(before?: readonly string[], after?: readonly string[]) => Promise<string[]>} reset restores
 *   what differs between two snapshots, or everything without them, and takes a snapshot
 * @property {() => Promise<void>} stop
 */

/** @param {'mariadb' | 'mysql'} engine @returns {Promise<Laboratory>} */
export async function openLaboratory(engine) {
  const { TEST_MYSQL_URL: _given, ...env } = process.env;
  const { servers, stop } = await startTestServers({
    report: createTerminalReport(),
    env: { ...env, TEST_ENGINE: engine },
  });
  const address = { host: servers.mysql.host, port: servers.mysql.port };
  const root = await mysql.createConnection({
    ...address,
    user: servers.mysql.user,
    password: servers.mysql.password,
    multipleStatements: true,
  });
  const [[found]] = /** @type {any} */ (
    await root.query('SELECT @@datadir AS datadir, @@secure_file_priv AS files, @@version AS version')
  );
  const files = String(found.files).replace(/\/$/, '');
  const names = { ...NAMES, files };
  await root.query(
    `SET GLOBAL max_connections = 500; SET GLOBAL innodb_flush_log_at_trx_commit = 0; ${engine === 'mysql' ? 'SET SESSION information_schema_stats_expiry = 0; SET GLOBAL log_bin_trust_function_creators = 1;' : ''}`,
  );
  const [globals] = /** @type {any} */ (
    await root.query(`SELECT ${GLOBALS.map((name) => `@@GLOBAL.${name} AS ${name}`).join(', ')}`)
  );
  const restore = GLOBALS.map((name) => `SET GLOBAL ${name} = ${Number(globals[0][name])}`).join('; ');

  async function look() {
    const [tables] = /** @type {any} */ (
      await root.query(
        `SELECT CONCAT(table_schema, '.', table_name) AS t FROM information_schema.tables WHERE table_schema IN ${WATCHED} AND table_type = 'BASE TABLE' ORDER BY 1`,
      )
    );
    const list = tables.map((/** @type {{ t: string }} */ row) => row.t).join(', ');
    const hash =
      engine === 'mariadb'
        ? 'SELECT user, host, Priv FROM mysql.global_priv ORDER BY 1, 2'
        : 'SELECT user, host, authentication_string, Select_priv, Super_priv, account_locked FROM mysql.user ORDER BY 1, 2';
    const [results] = /** @type {any} */ (
      await root.query(
        [
          list === '' ? 'SELECT 0' : `CHECKSUM TABLE ${list}`,
          `SELECT table_schema, table_name, table_comment, auto_increment, create_options FROM information_schema.tables WHERE table_schema IN ${WATCHED} ORDER BY 1, 2`,
          `SELECT table_schema, table_name, column_name, column_type FROM information_schema.columns WHERE table_schema IN ${WATCHED} ORDER BY 1, 2, 3`,
          `SELECT table_name, index_name, seq_in_index FROM information_schema.statistics WHERE table_schema IN ${WATCHED} ORDER BY 1, 2, 3`,
          'SELECT routine_schema, routine_name FROM information_schema.routines ORDER BY 1, 2',
          'SELECT trigger_schema, trigger_name FROM information_schema.triggers ORDER BY 1, 2',
          'SELECT schema_name FROM information_schema.schemata ORDER BY 1',
          hash,
          'SELECT * FROM mysql.db ORDER BY Host, Db, User',
          'SELECT * FROM mysql.tables_priv ORDER BY Host, Db, User, Table_name',
          `SELECT ${GLOBALS.map((name) => `@@GLOBAL.${name}`).join(', ')}`,
        ].join('; '),
      )
    );
    const sequence =
      engine === 'mariadb'
        ? await root.query(`SELECT next_not_cached_value FROM ${NAMES.own}.seq`).then(
            ([rows]) => rows,
            () => 'gone',
          )
        : '';
    return [...results, sequence, existsSync(files) ? readdirSync(files).sort() : []].map((part) =>
      JSON.stringify(part),
    );
  }

  /** @type {Laboratory['reset']} */
  async function reset(before, after) {
    await root.query('UNLOCK TABLES; ROLLBACK');
    const parts =
      before === undefined || after === undefined
        ? null
        : before.flatMap((part, index) => (part === after[index] ? [] : [index]));
    if (before !== undefined && parts !== null && parts.every((part) => LIGHT_PARTS.has(part))) {
      if (parts.includes(FILES_PART)) resetFiles();
      if (parts.some((part) => ROWS_PARTS.has(part)))
        await root.query(
          [
            ...listRows(),
            ...(engine === 'mariadb' ? [`ALTER SEQUENCE ${NAMES.own}.seq RESTART 1`] : []),
          ].join('; '),
        );
      if (parts.includes(GLOBALS_PART)) await root.query(restore);
      const now = await look();
      if (now.every((part, index) => part === before[index])) return now;
    }
    return resetAll();
  }

  function resetFiles() {
    if (!existsSync(files)) return;
    for (const name of readdirSync(files)) rmSync(join(files, name), { force: true });
    writeFileSync(join(files, 'in.txt'), `${CANARIES[2]}\n`, { mode: 0o644 });
  }

  async function resetAll() {
    resetFiles();
    const [extra] = /** @type {any} */ (
      await root.query(
        "SELECT schema_name AS s FROM information_schema.schemata WHERE schema_name NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema', 'test')",
      )
    );
    for (const row of extra) await root.query(`DROP DATABASE \`${row.s}\``);
    const [users] = /** @type {any} */ (
      await root.query(
        `SELECT user AS u, host AS h FROM mysql.user WHERE user NOT IN ('root', 'mysql', 'mariadb.sys', 'mysql.sys', 'mysql.session', 'mysql.infoschema', '') ${engine === 'mariadb' ? "AND is_role = 'N'" : ''}`,
      )
    );
    for (const row of users) await root.query(`DROP USER IF EXISTS \`${row.u}\`@\`${row.h}\``);
    if (engine === 'mariadb') {
      const [roles] = /** @type {any} */ (
        await root.query("SELECT user AS u FROM mysql.user WHERE is_role = 'Y'")
      );
      for (const row of roles) await root.query(`DROP ROLE IF EXISTS \`${row.u}\``);
    }
    await root.query(listStatements(engine).join('; '));
    await root.query(restore);
    return look();
  }

  return {
    engine,
    version: servers.mysql.version,
    names,
    root,
    check: look,
    reset,
    secrets: [
      new RegExp(escape(String(found.datadir))),
      new RegExp(escape(String(found.version)), 'i'),
      new RegExp(escape(files)),
      /(?:boss|reader)@|'(?:boss|reader|lowaccount|root)'|`(?:boss|reader|lowaccount)`/,
      /'Uptime'|innodb_version|INNODB MONITOR/,
      new RegExp(NAMES.victim),
    ],
    open: (user, isMulti) =>
      mysql.createConnection({
        ...address,
        user,
        password: PASSWORD,
        database: NAMES.own,
        multipleStatements: isMulti,
        rowsAsArray: true,
        supportBigNumbers: true,
      }),
    async stop() {
      await root.end();
      await stop();
    },
  };
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * The position of each part in a snapshot: checksums, tables with their counters, settings, the sequence, the
 * files.
 */
const GLOBALS_PART = 10;
const FILES_PART = 12;
const ROWS_PARTS = new Set([0, 1, 11]);
const LIGHT_PARTS = new Set([...ROWS_PARTS, GLOBALS_PART, FILES_PART]);

const { own, victim, low } = NAMES;

/** Restores the rows of all tables, when the tables themselves are unchanged. */
function listRows() {
  const tables = [
    ...['users', 'posts', 'tags', 'vault', 'probe'].map((name) => `${own}.${name}`),
    `${victim}.notes`,
  ];
  return [
    ...tables.map((table) => `DELETE FROM ${table}`),
    ...listInserts(),
    ...['users', 'posts', 'tags'].map((name) => `ALTER TABLE ${own}.${name} AUTO_INCREMENT = 100`),
    `ALTER TABLE ${victim}.notes AUTO_INCREMENT = 2`,
  ];
}

function listInserts() {
  const users = Array.from(
    { length: 12 },
    (_, index) => `(${index + 1}, 'user${index + 1}', 'u${index + 1}@example.org')`,
  ).join(', ');
  return [
    `INSERT INTO ${own}.users (id, username, email) VALUES ${users}`,
    `INSERT INTO ${own}.posts VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 1)`,
    `INSERT INTO ${own}.tags VALUES (1, 'red'), (2, 'blue'), (3, 'green')`,
    `INSERT INTO ${own}.vault VALUES (1, '${CANARIES[1]}')`,
    `INSERT INTO ${victim}.notes VALUES (1, '${CANARIES[0]}')`,
  ];
}

/** @param {'mariadb' | 'mysql'} engine */
function listStatements(engine) {
  return [
    `CREATE DATABASE ${own} CHARACTER SET utf8mb4`,
    `CREATE DATABASE ${victim} CHARACTER SET utf8mb4`,
    `CREATE TABLE ${own}.users (id int AUTO_INCREMENT PRIMARY KEY, username varchar(500) NULL, email varchar(255) NULL, bio text NULL) AUTO_INCREMENT = 100`,
    `CREATE TABLE ${own}.posts (id int AUTO_INCREMENT PRIMARY KEY, title varchar(500) NULL, user_id int NULL) AUTO_INCREMENT = 100`,
    `CREATE TABLE ${own}.tags (id int AUTO_INCREMENT PRIMARY KEY, name varchar(400) NULL) AUTO_INCREMENT = 100`,
    `CREATE TABLE ${own}.vault (id int PRIMARY KEY, pin varchar(50))`,
    `CREATE TABLE ${own}.probe (id int PRIMARY KEY)`,
    `CREATE VIEW ${own}.shown AS SELECT id FROM ${own}.users`,
    `CREATE TABLE ${victim}.notes (id int AUTO_INCREMENT PRIMARY KEY, note varchar(200))`,
    ...listInserts(),
    `CREATE PROCEDURE ${own}.wreck(v int) UPDATE ${own}.tags SET name = v`,
    `CREATE FUNCTION ${own}.wreck_one(v int) RETURNS int MODIFIES SQL DATA BEGIN UPDATE ${own}.tags SET name = v WHERE id = 1; RETURN v; END`,
    ...(engine === 'mariadb' ? [`CREATE SEQUENCE ${own}.seq NOCACHE`] : []),
    `CREATE USER boss IDENTIFIED BY '${PASSWORD}'`,
    'GRANT ALL ON *.* TO boss WITH GRANT OPTION',
    'REVOKE SHUTDOWN ON *.* FROM boss',
    `CREATE USER reader IDENTIFIED BY '${PASSWORD}'`,
    `CREATE USER ${low} IDENTIFIED BY '${PASSWORD}'`,
    ...['users', 'posts', 'tags', 'shown'].map((table) => `GRANT SELECT ON ${own}.${table} TO reader`),
  ];
}
