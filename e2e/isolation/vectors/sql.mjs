// @ts-check
/**
 * Attempts by SQL to read another tenant's schema or data that the key may not see: by the query endpoint, as
 * a tool of a question, and over a connection string.
 */
import { setTimeout as pause } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { createConnection, deploy } from '../../support/control.mjs';
import { openApi, send } from '../../support/http.mjs';
import { attempt } from '../attempt.mjs';

/** @typedef {import('../attempt.mjs').Isolation} Isolation */

/** `{v}` is the victim's schema. Each statement returns a pin of the victim in some form. */
const READS = [
  'SELECT pin FROM {v}.vault',
  'SELECT * FROM {v}.vault LIMIT 5',
  'SELECT v.pin FROM {v}.vault AS v',
  'SELECT `pin` FROM `{v}`.`vault`',
  'SELECT {v}.vault.pin FROM {v}.vault',
  'SELECT pin FROM {v} . vault',
  'SELECT pin FROM {v}./* x */vault',
  'SELECT pin FROM /* x */ {v}.vault -- end',
  'SELECT(pin)FROM`{v}`.vault',
  'SELECT u.id, v.pin FROM users u JOIN {v}.vault v ON 1 = 1',
  'SELECT v.pin FROM users u, {v}.vault v',
  'SELECT v.pin FROM users u LEFT JOIN {v}.vault v ON v.id > 0',
  'SELECT v.pin FROM {v}.vault v RIGHT JOIN users u ON 1',
  'SELECT pin FROM users CROSS JOIN {v}.vault',
  'SELECT pin FROM (users, {v}.vault)',
  'SELECT pin FROM users STRAIGHT_JOIN {v}.vault',
  'SELECT v.pin FROM users INNER JOIN ({v}.vault v) ON 1',
  'SELECT (SELECT MAX(pin) FROM {v}.vault) AS pin',
  'SELECT id, (SELECT pin FROM {v}.vault LIMIT 1) AS p FROM users',
  "SELECT COALESCE((SELECT pin FROM {v}.vault LIMIT 1), 'none') AS p",
  'SELECT CONCAT((SELECT pin FROM {v}.vault LIMIT 1), 1) AS p',
  'SELECT CASE WHEN 1 THEN (SELECT pin FROM {v}.vault LIMIT 1) END AS p',
  'SELECT IF(1, (SELECT pin FROM {v}.vault LIMIT 1), 0) AS p',
  'SELECT * FROM (SELECT pin FROM {v}.vault) x',
  'SELECT * FROM (SELECT * FROM (SELECT pin FROM {v}.vault) x) y',
  'SELECT GROUP_CONCAT(pin) AS p FROM {v}.vault',
  'SELECT MAX(pin) AS p FROM {v}.vault',
  'SELECT MIN(pin) OVER () AS p FROM {v}.vault',
  'SELECT DISTINCT pin FROM {v}.vault',
  'SELECT pin, COUNT(*) FROM {v}.vault GROUP BY pin',
  'SELECT pin FROM {v}.vault GROUP BY pin HAVING COUNT(*) > 0',
  'SELECT pin FROM {v}.vault ORDER BY id DESC',
  'SELECT pin FROM {v}.vault LIMIT 1 OFFSET 0',
  'SELECT username FROM users UNION SELECT pin FROM {v}.vault',
  'SELECT pin FROM {v}.vault UNION ALL SELECT username FROM users',
  '(SELECT pin FROM {v}.vault)',
  '(SELECT 1 AS a) UNION (SELECT pin FROM {v}.vault)',
  'SELECT pin FROM {v}.vault EXCEPT SELECT 1',
  'SELECT pin FROM {v}.vault INTERSECT SELECT pin FROM {v}.vault',
  'WITH a AS (SELECT pin FROM {v}.vault) SELECT * FROM a',
  'WITH a AS (SELECT 1), b AS (SELECT pin FROM {v}.vault) SELECT * FROM b',
  'WITH RECURSIVE a AS (SELECT pin, 1 AS n FROM {v}.vault UNION ALL SELECT pin, n + 1 FROM a WHERE n < 2) SELECT * FROM a',
  'WITH vault AS (SELECT pin FROM {v}.vault) SELECT pin FROM vault',
  'SELECT JSON_ARRAYAGG(pin) AS p FROM {v}.vault',
  "SELECT JSON_OBJECT('p', pin) AS p FROM {v}.vault",
  'SELECT UPPER(LOWER(pin)) AS p, pin FROM {v}.vault',
  'SELECT pin FROM {v}.vault WHERE pin IN (SELECT pin FROM {v}.vault)',
  'SELECT pin FROM {v}.vault WHERE EXISTS (SELECT 1 FROM users)',
  'SELECT s.name, v.pin FROM tags s, {v}.vault v',
  'SELECT pin FROM {v}.vault NATURAL JOIN (SELECT 1 AS one) x',
  'SELECT pin FROM {v}.vault USE INDEX (PRIMARY)',
  'SELECT SQL_NO_CACHE pin FROM {v}.vault',
  'SELECT ALL pin FROM {v}.vault',
  'select PIN from {v}.vault',
  'SELECT /*! pin FROM {v}.vault */',
  'SELECT pin FROM /*!50000 {v}. */ vault /*! AS x */',
  'SELECT pin\nFROM\n{v}\n.\nvault',
  'SELECT pin FROM {v}.vault;',
];
/**
 * Returns whether a text contains the victim's canary, in its own case or in capitals.
 * @param {Isolation} s
 * @param {string} text
 */
function tells(s, text) {
  return text.toLowerCase().includes(s.victim.canary);
}

const GUARDS = ['query guard', 'grants'];

/** @param {Isolation} s @param {string} sql */
const fill = (s, sql) => sql.replaceAll('{v}', s.victim.schema);

const QUERIES = READS.map((sql) =>
  attempt('query', GUARDS, sql, async (s) =>
    tells(
      s,
      (await s.attacker.api.call('POST', '/query', { body: { query: fill(s, sql), mode: 'sql' } })).text,
    ),
  ),
);

const AS_STREAM = READS.filter((_, index) => index % 5 === 0).map((sql) =>
  attempt('query', GUARDS, `${sql} as NDJSON`, async (s) =>
    tells(
      s,
      (
        await s.attacker.api.call('POST', '/query', {
          body: { query: fill(s, sql), mode: 'sql' },
          headers: { Accept: 'application/x-ndjson' },
        })
      ).text,
    ),
  ),
);

/** Reads of own tables that the key does not have. */
const OWN = [
  'SELECT pin FROM vault',
  'SELECT * FROM vault',
  'SELECT v.pin FROM users u JOIN vault v ON v.user_id = u.id',
  'SELECT (SELECT pin FROM vault LIMIT 1) AS p',
  'WITH a AS (SELECT pin FROM vault) SELECT * FROM a',
  'SELECT username FROM users UNION SELECT pin FROM vault',
  'SELECT GROUP_CONCAT(pin) AS p FROM vault',
  'SELECT * FROM (SELECT pin FROM vault) x',
  'SELECT pin FROM {o}.vault',
  'SELECT shadow FROM users',
  'SELECT * FROM (SELECT shadow FROM users) x',
  'SELECT MAX(shadow) AS m FROM users',
  'SELECT CONCAT(shadow, 1) AS c FROM users',
  'SELECT id FROM users UNION SELECT shadow FROM users',
].map((sql) =>
  attempt('query', ['query guard', 'own grants'], `${sql} under a key without it`, async (s) =>
    (
      await openApi(s.base, s.limited).call('POST', '/query', {
        body: { query: sql.replaceAll('{o}', s.attacker.schema), mode: 'sql' },
      })
    ).text.includes(s.attacker.canary),
  ),
);

/**
 * Calls an MCP tool over HTTP.
 * @param {Isolation} s
 * @param {string} key
 * @param {string} name
 * @param {Record<string, unknown>} args
 */
async function useTool(s, key, name, args) {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const response = await send(s.base, 'POST', '/mcp', {
    body,
    headers: {
      Authorization: `Bearer ${key}`,
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-06-18',
    },
  });
  return response.text;
}

const TOOLS = [
  ...READS.filter((_, index) => index % 3 === 1).map((sql) =>
    attempt('MCP', GUARDS, `query_database: ${sql}`, async (s) =>
      tells(s, await useTool(s, s.attacker.person.key, 'query_database', { query: fill(s, sql) })),
    ),
  ),
  ...[
    ['read_records', { table: 'vault' }],
    ['read_records', { table: 'vault', limit: 1 }],
    ['read_records', { table: 'users', include: ['vault'] }],
  ].map(([name, args]) =>
    attempt('MCP', ['rights'], `${String(name)} ${JSON.stringify(args)} under a key without it`, async (s) =>
      (await useTool(s, s.limited, String(name), /** @type {any} */ (args))).includes(
        `pin ${s.attacker.canary}`,
      ),
    ),
  ),
  ...[
    ['create_records', { table: 'tags', records: [{ name: 'by a tool' }] }],
    ['update_records', { table: 'users', records: [{ id: 1, bio: 'by a tool' }] }],
  ].map(([name, args]) =>
    attempt('MCP', ['rights', 'scope'], `${String(name)} under a key that reads`, async (s) => {
      await useTool(s, s.limited, String(name), /** @type {any} */ (args));
      const [rows] = await s.admin.query(
        name === 'create_records'
          ? `SELECT 1 FROM ${s.attacker.schema}.tags WHERE name = 'by a tool'`
          : `SELECT 1 FROM ${s.attacker.schema}.users WHERE bio = 'by a tool'`,
      );
      return /** @type {unknown[]} */ (rows).length > 0;
    }),
  ),
];

/**
 * Statements sent over the attacker's connection string with the role owner, each with a statement that
 * undoes it. The owner may do anything in its own schema and nothing in another one.
 */
const DIRECT = [
  ...READS.filter((sql) => !/\/\*!|;$/.test(sql))
    .slice(0, 40)
    .map((sql) => /** @type {const} */ ([sql, null])),
  ["SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '{v}'", null],
  ["SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '{v}'", null],
  ['SHOW TABLES FROM {v}', null],
  ['SHOW CREATE TABLE {v}.vault', null],
  ['DESCRIBE {v}.vault', null],
  ['SHOW INDEX FROM {v}.vault', null],
  ["SHOW DATABASES LIKE '{v}'", null],
  ['SHOW TABLE STATUS FROM {v}', null],
  ['HANDLER {v}.vault OPEN', 'HANDLER vault CLOSE'],
  ['CHECKSUM TABLE {v}.vault', null],
  ['USE {v}', 'USE {o}'],
  ['EXPLAIN SELECT * FROM {v}.vault', null],
  [
    "INSERT INTO {v}.vault (pin) VALUES ('put by another')",
    "DELETE FROM {v}.vault WHERE pin = 'put by another'",
  ],
  ['UPDATE {v}.vault SET user_id = user_id', null],
  ['DELETE FROM {v}.vault WHERE id = 999999', null],
  ["REPLACE INTO {v}.vault (id, pin) VALUES (777, 'x')", 'DELETE FROM {v}.vault WHERE id = 777'],
  ['INSERT INTO {v}.vault (pin) SELECT username FROM users LIMIT 1', 'DELETE FROM {v}.vault WHERE id > 1'],
  ['UPDATE users u, {v}.vault v SET v.user_id = v.user_id', null],
  ['CREATE TABLE {v}.mine (id INT)', 'DROP TABLE {v}.mine'],
  ["ALTER TABLE {v}.vault COMMENT 'x'", "ALTER TABLE {v}.vault COMMENT ''"],
  ['CREATE INDEX i ON {v}.vault (pin)', 'DROP INDEX i ON {v}.vault'],
  ['LOCK TABLES {v}.vault READ', 'UNLOCK TABLES'],
  ['RENAME TABLE users TO {v}.users_taken', 'RENAME TABLE {v}.users_taken TO users'],
  ['CREATE VIEW stolen AS SELECT pin FROM {v}.vault', 'DROP VIEW stolen'],
  ['CREATE TABLE stolen AS SELECT pin FROM {v}.vault', 'DROP TABLE stolen'],
  ['CREATE TABLE {v}.back LIKE users', 'DROP TABLE {v}.back'],
  ['CREATE TRIGGER {v}.t BEFORE INSERT ON {v}.vault FOR EACH ROW SET NEW.pin = 1', 'DROP TRIGGER {v}.t'],
  ['CREATE PROCEDURE {v}.p() SELECT 1', 'DROP PROCEDURE {v}.p'],
  ['CREATE DEFINER=root@localhost PROCEDURE p2() SELECT 1', 'DROP PROCEDURE p2'],
  ['CREATE DEFINER=root@localhost VIEW w2 AS SELECT 1', 'DROP VIEW w2'],
  ['CREATE DATABASE {o}x', 'DROP DATABASE {o}x'],
  ["CREATE USER mallory@'%' IDENTIFIED BY 'long enough 1!'", "DROP USER mallory@'%'"],
  ['GRANT SELECT ON {o}.* TO CURRENT_USER()', null],
  ["GRANT SELECT ON *.* TO 'rh_observer'@'127.0.0.1'", "REVOKE SELECT ON *.* FROM 'rh_observer'@'127.0.0.1'"],
  ['FLUSH TABLES', null],
  ['FLUSH STATUS', null],
  ['SET GLOBAL max_connections = 1000', null],
  ['SET GLOBAL general_log = OFF', null],
  ['SET GLOBAL event_scheduler = OFF', null],
  ['SELECT * FROM mysql.user', null],
  ['SELECT * FROM mysql.global_priv', null],
  ['SELECT * FROM mysql.db', null],
  ['SELECT * FROM {v}s.idempotency', null],
  ["SELECT 1 INTO OUTFILE 'x_{o}.txt'", null],
  ['CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SELECT 1', 'DROP EVENT e'],
  ['CREATE EVENT {v}.e ON SCHEDULE EVERY 1 DAY DO SELECT 1', 'DROP EVENT {v}.e'],
  ["CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1')", 'DROP SERVER s'],
  ['PURGE BINARY LOGS BEFORE NOW()', null],
  ['SHOW ENGINE INNODB STATUS', null],
  ['SHOW REPLICA STATUS', null],
  ["SHOW GRANTS FOR 'rh_observer'@'127.0.0.1'", null],
  ['KILL {other}', null],
  [
    'CREATE TABLE spy (id INT PRIMARY KEY, ref INT, FOREIGN KEY (ref) REFERENCES {v}.vault (id))',
    'DROP TABLE spy',
  ],
].map(([sql, undo]) =>
  attempt('direct connections', ['server rights'], String(sql), async (s) => {
    const names = {
      '{v}': s.victim.schema,
      '{o}': s.attacker.schema,
      '{other}': String(await s.otherSession()),
    };
    const put = (/** @type {string} */ text) =>
      Object.entries(names).reduce((done, [name, value]) => done.replaceAll(name, value), text);
    const direct = await s.openDirect();
    try {
      const [rows] = await direct.query(put(String(sql)));
      if (undo !== null && undo !== undefined) await direct.query(put(undo));
      // A statement that returns no rows has revealed nothing, so the attempt counts as failed.
      return !Array.isArray(rows) || rows.length > 0 || /^SHOW REPLICA/.test(String(sql));
    } catch {
      return false;
    } finally {
      direct.destroy();
    }
  }),
);

/**
 * Looks for the victim's name in everything that the server shows to every account, including views of newer
 * versions.
 */
const VIEWS = attempt(
  'direct connections',
  ['server rights'],
  "the victim's name in any view of the server's own",
  async (s) => {
    const direct = await s.openDirect();
    try {
      // MySQL shows names of others in these two views (docs/security.md).
      const [views] = await direct.query(
        "SELECT CONCAT('`', TABLE_SCHEMA, '`.`', TABLE_NAME, '`') AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ('information_schema', 'performance_schema', 'mysql', 'sys') AND TABLE_NAME NOT IN ('TABLESPACES_EXTENSIONS', 'variables_info')",
      );
      for (const { name } of /** @type {{ name: string }[]} */ (views)) {
        const rows = await direct.query(`SELECT * FROM ${name} LIMIT 10000`).then(
          ([found]) => found,
          () => [],
        );
        if (JSON.stringify(rows).includes(s.victim.schema)) return true;
      }
      return false;
    } finally {
      direct.destroy();
    }
  },
);

/** The time in which a worker guards a table that an owner has created, in milliseconds. */
const GUARD_MS_MAX = 10_000;

/**
 * Engines read a stopword table without checking privileges. If the attacker's full-text index used the
 * victim's table, the index would omit the words stored there and so reveal them.
 * @param {string} what
 * @param {(s: Isolation, sql: string, table: string) => Promise<void>} create creates the victim's table
 */
const stopwords = (what, create) =>
  attempt(
    'direct connections',
    ['stopword tables', 'stopword guard'],
    `the victim's words, by a full-text index that takes ${what} as its stopword list`,
    async (s) => {
      const name = `w${s.unique()}`;
      const { schema } = s.victim;
      await create(s, `CREATE TABLE ${name} (value varchar(40) PRIMARY KEY)`, name);
      const direct = await s.openDirect();
      try {
        await s.admin.query(`INSERT INTO ${schema}.${name} (value) VALUES ('swordfish')`);
        await direct.query('SET SESSION innodb_ft_user_stopword_table = ?', [`${schema}/${name}`]);
        await direct.query(`CREATE TABLE ${name} (w varchar(40), FULLTEXT (w))`);
        await direct.query(`INSERT INTO ${name} VALUES ('swordfish'), ('goldfish')`);
        const [found] = await direct.query(
          `SELECT w FROM ${name} WHERE MATCH (w) AGAINST ('swordfish goldfish' IN BOOLEAN MODE)`,
        );
        await direct.query(`DROP TABLE ${name}`);
        return JSON.stringify(found) === '[{"w":"goldfish"}]';
      } catch {
        return false;
      } finally {
        direct.destroy();
      }
    },
  );

const STOPWORDS = [
  stopwords("the victim's deployed table", async (s, sql) => {
    await deploy(s.victim.person, sql).catch(() => undefined);
  }),
  stopwords("a table that the victim's owner created", async (s, sql, table) => {
    const owner = await (await openOwner(s.victim)).open();
    try {
      await owner.query(sql);
      const endsAt = performance.now() + GUARD_MS_MAX;
      for (let columns = 1; columns === 1 && performance.now() < endsAt; await pause(100)) {
        const [rows] = await owner.query(
          'SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?',
          [s.victim.schema, table],
        );
        columns = /** @type {unknown[]} */ (rows).length;
      }
    } finally {
      owner.destroy();
    }
  }),
];

/** Attempts with the user and password of an owner at the server of the platform database. */
const PLATFORM = ['SELECT * FROM rowhouse_cell.api_key', 'SELECT * FROM rowhouse_global.account'].map((sql) =>
  attempt(
    'direct connections',
    ['platform account'],
    `${sql} on the server of the platform database`,
    async (s) => {
      const session = await s.openPlatform().catch(() => null);
      if (session === null) return false;
      try {
        const [rows] = await session.query(sql);
        return Array.isArray(rows) && rows.length > 0;
      } finally {
        session.destroy();
      }
    },
  ),
);

/** @param {import('../stage.mjs').IsolatedTenant} tenant */
export async function openOwner(tenant) {
  const { connection_string, user, password } = await createConnection(tenant.person, {
    name: 'owner',
    role: 'owner',
  });
  return { user, password, open: () => mysql.createConnection(connection_string) };
}

export const SQL = [...QUERIES, ...AS_STREAM, ...OWN, ...TOOLS, ...DIRECT, ...PLATFORM, VIEWS, ...STOPWORDS];
