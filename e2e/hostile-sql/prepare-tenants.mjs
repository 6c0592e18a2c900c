// @ts-check
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { createKey, deploy, expectStatus, signUp } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { SESSIONS } from '@rowhouse/local/servers/mysql-admin';
import { waitFor } from '../support/wait.mjs';

/**
 * A tenant to whose keys an attacker has access, and the database behind it.
 * @typedef {object} Target
 * @property {string} base
 * @property {string} key a key with `query`, limited to the tables of the statements
 * @property {string} writer a key with `query:write` and the same limits
 * @property {'mariadb' | 'mysql'} engine
 * @property {{ own: string, victim: string, files: string, low: string }} names
 * @property {string[]} canaries texts that no response may contain
 * @property {string[]} reported texts that reveal the server; no response may contain them unless the request
 *   does
 * @property {() => Promise<string>} checksum returns a checksum of all rows of both tenants
 * @property {() => Promise<string>} checksumOthers returns a checksum of the rows that no key may write
 * @property {(sinceMs: number) => number} longestSince returns the longest time in milliseconds that one
 *   statement of the tenant was seen running since then
 * @property {(sqls: readonly string[]) => Promise<string[]>} findTraces lists locks, transactions and
 *   statements that were left behind
 */

/**
 * @param {{ control: string, gateways: readonly string[], mysql: { engine: string, host: string, port: number, user: string, password: string } }} product
 * @param {number} count
 * @returns {Promise<{ targets: Target[], close: () => Promise<void> }>}
 */
export async function prepareTargets(product, count) {
  const { host, port, user, password } = product.mysql;
  const admin = await mysql.createConnection({ host, port, user, password, multipleStatements: true });
  const mark = `canary-${randomBytes(6).toString('hex')}`;
  const victim = await signUp(product.control, { name: 'victim', starter: 'empty' });
  await deploy(victim, 'CREATE TABLE notes (id int AUTO_INCREMENT PRIMARY KEY, note varchar(200) NOT NULL)');
  const [gateway = ''] = product.gateways;
  const api = openApi(gateway, victim.key);
  await waitFor('the table is served', async () => (await api.get('/notes')).status === 200);
  expectStatus(await api.post('/notes', { note: `${mark}-victim` }), [201], 'write the note');
  /** @type {Target[]} */
  const targets = [];
  const watch = await watchStatements(product.mysql);
  for (let index = 0; index < count; index += 1)
    targets.push(
      await prepareTarget(
        product,
        admin,
        watch,
        String(product.gateways[index % product.gateways.length]),
        mark,
        index,
      ),
    );
  return {
    targets,
    async close() {
      await watch.stop();
      await admin.end();
    },
  };
}

const CHECK_EVERY_MS = 100;

/**
 * Polls the statements that the server runs. A statement seen twice ran at least from one poll to the other,
 * however busy the machine is.
 * @typedef {{ longestSince: (schema: string, sinceMs: number) => number, stop: () => Promise<void> }}
 *   StatementWatch
 * @param {{ host: string, port: number, user: string, password: string }} server
 * @returns {Promise<StatementWatch>}
 */
async function watchStatements({ host, port, user, password }) {
  const eyes = await mysql.createConnection({ host, port, user, password });
  /** @typedef {{ schema: string, firstMs: number, lastMs: number }} Life */
  /** @type {Map<string, Life>} */
  let running = new Map();
  /** @type {Life[]} */
  let over = [];
  let isFinished = false;
  /** @type {Error | null} */
  let fault = null;
  const watching = (async () => {
    while (!isFinished) {
      const requestedMs = performance.now();
      const [rows] = /** @type {any} */ (
        await eyes.query(
          `SELECT ID AS id, DB AS db, INFO AS info FROM ${SESSIONS} WHERE DB LIKE 'p%' AND COMMAND NOT IN ('Sleep', 'Daemon') AND INFO IS NOT NULL`,
        )
      );
      const nowMs = performance.now();
      /** @type {typeof running} */
      const now = new Map();
      for (const { id, db, info } of rows) {
        const name = `${id} ${info}`;
        const known = running.get(name);
        // The statement ran at least from the end of the first poll to the start of the last one.
        now.set(
          name,
          known === undefined
            ? { schema: String(db), firstMs: nowMs, lastMs: nowMs }
            : { ...known, lastMs: Math.max(known.firstMs, requestedMs) },
        );
      }
      over = [...over, ...[...running].filter(([name]) => !now.has(name)).map(([, life]) => life)].slice(
        -1_000,
      );
      running = now;
      await sleep(CHECK_EVERY_MS);
    }
  })().catch((/** @type {Error} */ err) => {
    // The error is thrown when the watch is stopped.
    fault = err;
  });
  return {
    longestSince: (schema, sinceMs) =>
      Math.max(
        0,
        ...[...over, ...running.values()]
          .filter((item) => item.schema === schema && item.firstMs >= sinceMs)
          .map((item) => item.lastMs - item.firstMs),
      ),
    async stop() {
      isFinished = true;
      await watching;
      if (fault !== null) throw fault;
      await eyes.end();
    },
  };
}

/**
 * @param {Parameters<typeof prepareTargets>[0]} product
 * @param {import('mysql2/promise').Connection} admin
 * @param {StatementWatch} watch
 * @param {string} base
 * @param {string} mark
 * @param {number} index
 * @returns {Promise<Target>}
 */
async function prepareTarget(product, admin, watch, base, mark, index) {
  const pin = `${mark}-vault-${index}`;
  const user = await signUp(product.control, { name: 'attacked', starter: 'empty' });
  await deploy(
    user,
    `CREATE TABLE users (id int AUTO_INCREMENT PRIMARY KEY, username varchar(500) NULL, email varchar(255) NULL, bio text NULL);
    CREATE TABLE posts (id int AUTO_INCREMENT PRIMARY KEY, title varchar(500) NULL, user_id int NULL);
    CREATE TABLE tags (id int AUTO_INCREMENT PRIMARY KEY, name varchar(400) NULL);
    CREATE TABLE vault (id int PRIMARY KEY, pin varchar(50))`,
  );
  const api = openApi(base, user.key);
  await waitFor('the tables are served', async () => (await api.get('/vault')).status === 200);
  expectStatus(
    await api.post(
      '/users',
      Array.from({ length: 12 }, (_, position) => ({
        username: `user${position + 1}`,
        email: `u${position + 1}@example.org`,
      })),
    ),
    [201],
    'users',
  );
  expectStatus(
    await api.post('/posts', [
      { title: 'one', user_id: 1 },
      { title: 'two', user_id: 2 },
      { title: 'three', user_id: 1 },
    ]),
    [201],
    'posts',
  );
  expectStatus(
    await api.post('/tags', [{ name: 'red' }, { name: 'blue' }, { name: 'green' }]),
    [201],
    'tags',
  );
  expectStatus(await api.post('/vault', { id: 1, pin }), [201], 'vault');
  const tables = Object.fromEntries(
    ['users', 'posts', 'tags'].map((name) => [name, ['read', 'write', 'delete']]),
  );
  const reader = await createKey(user, { name: 'attacker', tables });
  const writer = await createKey(user, {
    name: 'writer',
    tables,
    scopes: ['read', 'write', 'delete', 'query', 'query:write'],
  });
  await waitFor(
    'the keys are known',
    async () =>
      (await openApi(base, reader.secret).query('SELECT 1')).status === 200 &&
      (await openApi(base, writer.secret).query('UPDATE tags SET name = name WHERE id = 0')).status === 200,
  );
  const [own, victimSchema] = [
    await findSchema(admin, 'vault', 'pin', pin),
    await findSchema(admin, 'notes', 'note', `${mark}-victim`),
  ];
  const [[server]] = /** @type {any} */ (
    await admin.query('SELECT @@datadir AS datadir, @@secure_file_priv AS files, @@version AS version')
  );
  const files = String(server.files ?? '').replace(/\/$/, '') || '/nowhere';
  const others = `CHECKSUM TABLE ${victimSchema}.notes, ${own}.vault`;
  const names = { own, victim: victimSchema, files, low: 'lowaccount' };
  return {
    base,
    key: reader.secret,
    writer: writer.secret,
    engine: product.mysql.engine === 'mysql' ? 'mysql' : 'mariadb',
    names,
    canaries: [mark],
    reported: [String(server.datadir), String(server.version), files, own, victimSchema],
    checksum: async () =>
      JSON.stringify(
        (
          await admin.query(
            `${others}; CHECKSUM TABLE ${['users', 'posts', 'tags'].map((name) => `${own}.${name}`).join(', ')}; SELECT table_name, column_name FROM information_schema.columns WHERE table_schema IN ('${own}', '${victimSchema}') ORDER BY 1, 2`,
          )
        )[0],
      ),
    checksumOthers: async () => JSON.stringify((await admin.query(others))[0]),
    longestSince: (sinceMs) => watch.longestSince(own, sinceMs),
    findTraces: (sqls) => findTraces(admin, own, sqls),
  };
}

/**
 * Returns the schema whose table contains that text. Both environments of each tenant have the table, and two
 * tenants may be created in the same second.
 * @param {import('mysql2/promise').Connection} admin
 * @param {string} table
 * @param {string} column
 * @param {string} text
 */
async function findSchema(admin, table, column, text) {
  const [rows] = /** @type {any} */ (
    await admin.query(
      "SELECT table_schema AS s FROM information_schema.tables WHERE table_name = ? AND table_schema LIKE 'p%' AND table_schema NOT LIKE 'performance%'",
      [table],
    )
  );
  for (const { s: schema } of rows) {
    const [[found]] = /** @type {any} */ (
      await admin.query(`SELECT COUNT(*) AS n FROM ${schema}.${table} WHERE ${column} = ?`, [text])
    );
    if (Number(found.n) > 0) return String(schema);
  }
  throw new Error(`no schema has ${text} in ${table}`);
}

/** @param {import('mysql2/promise').Connection} admin @param {string} own @param {readonly string[]} sqls */
async function findTraces(admin, own, sqls) {
  const numbers = new Set(
    sqls.filter((sql) => /get_lock/i.test(sql)).flatMap((sql) => sql.match(/\d+/g) ?? []),
  );
  /** @type {string[]} */
  const traces = [];
  for (const number of numbers) {
    const [[lock]] = /** @type {any} */ (await admin.query(`SELECT IS_USED_LOCK('lk_${number}') AS holder`));
    if (lock.holder !== null) traces.push(`the lock lk_${number}`);
  }
  // A statement that was just stopped may take a moment to disappear.
  for (let check = 0; ; check += 1) {
    const [left] = /** @type {any} */ (
      await admin.query(
        `SELECT sessions.ID AS id, sessions.INFO AS info, t.trx_started AS started FROM ${SESSIONS} LEFT JOIN information_schema.INNODB_TRX t ON t.trx_mysql_thread_id = sessions.ID WHERE sessions.DB = '${own}' AND (sessions.COMMAND NOT IN ('Sleep', 'Daemon') OR t.trx_id IS NOT NULL)`,
      )
    );
    if (left.length === 0) return traces;
    if (check === 20)
      return [
        ...traces,
        ...left.map(
          (/** @type {{ id: number, info: string | null }} */ row) =>
            `session ${row.id} with ${String(row.info).slice(0, 80)}`,
        ),
      ];
    await sleep(100);
  }
}
