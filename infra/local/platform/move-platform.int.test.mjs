import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { movePlatform } from './move-platform.mjs';
import { runStatements, withConnection } from '../servers/mysql-admin.mjs';
import {
  CELL_SCHEMA,
  createPlatformAccounts,
  GLOBAL_SCHEMA,
  PLATFORM_ACCOUNTS,
} from './platform-accounts.mjs';
import { createTerminalReport } from '../report.mjs';
import { rejectSharedServer } from './same-server.mjs';
import { makePassword } from '../servers/start-mysql-server.mjs';
import { startOtherEngine } from '../../test-servers/start-test-servers.mjs';

/**
 * This file starts its own servers. The schemas have fixed names, and another test file uses these names on
 * the shared servers.
 */
const engines = /** @type {import('../../test-servers/start-test-servers.mjs').TestServers} */ (
  JSON.parse(String(process.env['ROWHOUSE_TEST_SERVERS']))
).engines.map(({ engine }) => engine);
const passwords = /** @type {Record<import('./platform-accounts.mjs').PlatformAccount, string>} */ (
  Object.fromEntries(PLATFORM_ACCOUNTS.map((account) => [account, makePassword()]))
);
/** @typedef {import('../../test-servers/start-test-servers.mjs').TestMysql} TestMysql */

const TABLES = [
  `CREATE TABLE IF NOT EXISTS ${GLOBAL_SCHEMA}.account (id char(30) PRIMARY KEY, email varchar(254) NOT NULL, hash binary(4) NOT NULL, facts json NULL, at datetime(3) NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS ${GLOBAL_SCHEMA}.audit_event (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, price decimal(20,5) NULL, body mediumtext NOT NULL) DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS ${CELL_SCHEMA}.chunk (id int PRIMARY KEY, piece longblob NOT NULL, twice int GENERATED ALWAYS AS (id * 2) STORED)`,
];
const ROWS = [
  `INSERT INTO ${GLOBAL_SCHEMA}.account VALUES ('a', 'a@example.org', X'00FF5C27', '{"b": [1, 2.5, null], "a": "\\\\"x"}', '2026-11-27 10:11:12.345'), ('b', 'ä𝄞\\'\\\\', X'00000000', NULL, '1999-12-31 23:59:59.999')`,
  `INSERT INTO ${GLOBAL_SCHEMA}.audit_event (price, body) VALUES (123456789012345.67891, 'first'), (NULL, ''), (-0.00001, 'last\\n\\0')`,
  `DELETE FROM ${GLOBAL_SCHEMA}.audit_event WHERE id = 3`,
  `INSERT INTO ${CELL_SCHEMA}.chunk (id, piece) VALUES (0, X''), (1, REPEAT(X'00275C', 50)), (2, X'FF')`,
];
/** A row that the preparation of a platform database writes into its new tables. */
const SEED = `INSERT IGNORE INTO ${GLOBAL_SCHEMA}.account VALUES ('seed', 'of preparing', X'01020304', NULL, '2026-01-01')`;

/** @param {import('../servers/mysql-admin.mjs').MysqlAddress} address */
async function createTables(address) {
  await createPlatformAccounts(address, '127.0.0.1', passwords, ['rh_migrate']);
  await runStatements({ ...address, user: 'rh_migrate', password: passwords.rh_migrate, host: '127.0.0.1' }, [
    ...TABLES,
    SEED,
  ]);
}

/** @param {TestMysql} server @param {string} sql @returns {Promise<any[]>} */
const query = (server, sql) =>
  withConnection(server, async (connection) => /** @type {any[]} */ ((await connection.query(sql))[0]));

/** @param {TestMysql} server */
async function clear(server) {
  await runStatements(
    server,
    [GLOBAL_SCHEMA, CELL_SCHEMA, 'rowhouse_move'].map((schema) => `DROP DATABASE IF EXISTS ${schema}`),
  );
  for (const account of PLATFORM_ACCOUNTS)
    await runStatements(server, [`DROP USER IF EXISTS '${account}'@'127.0.0.1'`]);
}

/** @param {TestMysql} server */
async function read(server) {
  const next = `INSERT INTO ${GLOBAL_SCHEMA}.audit_event (body) VALUES ('next')`;
  const accounts = await query(
    server,
    `SELECT id, email, HEX(hash) AS hash, facts, CAST(at AS CHAR) AS at FROM ${GLOBAL_SCHEMA}.account ORDER BY id`,
  );
  const events = await query(
    server,
    `SELECT id, CAST(price AS CHAR) AS price, HEX(body) AS body FROM ${GLOBAL_SCHEMA}.audit_event ORDER BY id`,
  );
  const chunks = await query(
    server,
    `SELECT id, SHA2(piece, 256) AS sum, LENGTH(piece) AS bytes, twice FROM ${CELL_SCHEMA}.chunk ORDER BY id`,
  );
  const { insertId } = await withConnection(
    server,
    async (connection) => /** @type {import('mysql2').ResultSetHeader} */ ((await connection.query(next))[0]),
  );
  await query(server, `DELETE FROM ${GLOBAL_SCHEMA}.audit_event WHERE id = ${insertId}`);
  return {
    accounts: accounts.map((row) => ({
      ...row,
      facts: typeof row.facts === 'string' ? JSON.parse(row.facts) : row.facts,
    })),
    events,
    chunks,
    nextId: insertId,
  };
}

/** @param {TestMysql} server @returns {Promise<string[]>} schemas and accounts of the platform */
async function listPlatformParts(server) {
  const schemas = await query(
    server,
    `SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME IN ('${GLOBAL_SCHEMA}', '${CELL_SCHEMA}')`,
  );
  const accounts = await query(
    server,
    `SELECT User AS name FROM mysql.user WHERE User IN (${PLATFORM_ACCOUNTS.map((name) => `'${name}'`).join(', ')})`,
  );
  return [...schemas, ...accounts].map(({ name }) => name);
}

/** @type {(() => Promise<void>)[]} */
const stops = [];
/** @param {'mariadb' | 'mysql'} engine */
async function start(engine) {
  const { mysql, stop } = await startOtherEngine(engine, createTerminalReport());
  stops.push(stop);
  return mysql;
}
/** @type {TestMysql} */
let target;
beforeAll(async () => {
  target = await start('mariadb');
});
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
});

describe.each(engines)("moving the platform database from the tenants' server on %s", (engine) => {
  /** @type {TestMysql} */
  let source;
  /** @type {Awaited<ReturnType<typeof read>>} */
  let expected;
  const move = (/** @type {Partial<import('./move-platform.mjs').MoveOptions>} */ more = {}) =>
    movePlatform({ from: source, to: target, isExpected: false, createTables: createTables, ...more });
  const fill = async () => {
    await clear(source);
    await clear(target);
    await createPlatformAccounts(source, '127.0.0.1', passwords);
    await runStatements(source, [...TABLES, SEED, ...ROWS]);
  };
  /**
   * @param {number} index number of the step after which the move is stopped
   * @returns {Promise<string | null>} its name; null when the move has fewer steps
   */
  const moveUntil = async (index) => {
    let count = 0;
    let name = '';
    const onStep = (/** @type {string} */ step) => {
      name = step;
      if (count++ === index) throw new Error('stopped here');
    };
    return move({ onStep }).then(
      () => null,
      (err) => {
        if (err.message !== 'stopped here') throw err;
        return name;
      },
    );
  };

  beforeAll(async () => {
    source = await start(engine);
    await fill();
    expected = await read(source);
  });
  beforeEach(fill);

  it('a moved platform database contains every row and keeps its next ids', async () => {
    // This row is too large for a statement in text form.
    await runStatements(source, [
      `INSERT INTO ${CELL_SCHEMA}.chunk (id, piece) VALUES (9, REPEAT(X'00275C', 1700000))`,
    ]);
    const before = await read(source);
    expect(before).toMatchObject({
      accounts: [{}, {}, {}],
      events: [{}, {}],
      chunks: [{}, {}, {}, { bytes: 5_100_000 }],
    });
    expect(await move()).toBe(true);
    expect(await read(target)).toEqual({ ...before, nextId: expect.any(Number) });
    expect((await read(target)).nextId).toBeGreaterThan(3);
    expect(await listPlatformParts(source)).toEqual([]);
    expect(await move({ isExpected: true })).toBe(false);
  });

  // This test runs on one engine only, because no step of the move depends on the engine.
  it.runIf(engine === engines[0])(
    'the next start finishes an interrupted move of the platform database',
    async () => {
      const stopped = [];
      for (let index = 0; ; index += 1) {
        await fill();
        const step = await moveUntil(index);
        if (step === null) break;
        stopped.push(step);
        const isDropped = /^dropped|^done/.test(step);
        const { nextId: _next, ...rows } = await read(isDropped ? target : source);
        expect([step, rows]).toMatchObject([
          step,
          { accounts: expected.accounts, events: expected.events, chunks: expected.chunks },
        ]);
        await move({ isExpected: true });
        expect([step, await read(target)]).toEqual([step, { ...expected, nextId: expect.any(Number) }]);
        expect([step, await listPlatformParts(source)]).toEqual([step, []]);
      }
      expect(stopped).toEqual(
        expect.arrayContaining([
          'recorded',
          'fenced',
          'tables created',
          `copied ${CELL_SCHEMA}.chunk`,
          'copied',
          `dropped ${CELL_SCHEMA}`,
          `dropped ${GLOBAL_SCHEMA}`,
          'dropped accounts',
          'done',
        ]),
      );
    },
    240_000,
  );

  it('rows that an older version wrote after an unfinished move are copied again', async () => {
    const onStep = (/** @type {string} */ step) => {
      if (step === 'copied') throw new Error('stopped here');
    };
    await expect(move({ onStep })).rejects.toThrow('stopped here');
    await runStatements(source, [
      `UPDATE ${GLOBAL_SCHEMA}.account SET email = 'written later' WHERE id = 'b'`,
    ]);
    await move();
    expect((await read(target)).accounts.map(({ email }) => email)).toContain('written later');
  });

  it('open sessions are ended before the platform database is copied', async () => {
    await withConnection(
      { ...source, host: '127.0.0.1', user: 'rh_control', password: passwords.rh_control },
      async (session) => {
        session.on('error', () => undefined);
        await move();
        await expect(session.query('SELECT 1')).rejects.toThrow();
      },
    );
  });

  it('a second platform database without an unfinished move is rejected and left unchanged', async () => {
    await move();
    await createPlatformAccounts(source, '127.0.0.1', passwords);
    await runStatements(source, TABLES);
    await expect(move({ isExpected: true })).rejects.toThrow(
      /There is a platform database on .* and another one on/,
    );
    expect((await read(target)).accounts).toEqual(expected.accounts);
    await clear(source);
    await clear(target);
    await expect(move({ isExpected: true })).rejects.toThrow(
      /is not on .*, where this installation had stored it/,
    );
    expect(await move()).toBe(false);
  });

  it('accounts and sessions of an installation with other secrets are not changed', async () => {
    await withConnection(
      { ...source, user: 'rh_control', password: passwords.rh_control },
      async (session) => {
        const refuse = () => Promise.reject(new Error('another master key'));
        await expect(move({ createTables: refuse })).rejects.toThrow('another master key');
        await session.query('SELECT 1');
      },
    );
    expect((await listPlatformParts(source)).length).toBe(2 + PLATFORM_ACCOUNTS.length);
    expect(await listPlatformParts(target)).toEqual([]);
  });

  it('a move rejects a table that does not belong to the platform database and drops nothing', async () => {
    await runStatements(source, [`CREATE TABLE ${GLOBAL_SCHEMA}.notes (a int)`]);
    await expect(move()).rejects.toThrow(
      `${GLOBAL_SCHEMA}.notes on ${source.host}:${source.port} does not belong to the platform database`,
    );
    expect((await read(source)).accounts).toEqual(expected.accounts);
    await runStatements(source, [`DROP TABLE ${GLOBAL_SCHEMA}.notes`]);
    expect(await move()).toBe(true);
  });

  it("a platform database on the operator's server can be moved back", async () => {
    await move();
    await runStatements(target, ['DROP DATABASE rowhouse_move']);
    expect(
      await movePlatform({ from: target, to: source, isExpected: false, createTables: createTables }),
    ).toBe(true);
    expect(await read(source)).toEqual({ ...expected, nextId: expect.any(Number) });
  });

  it('a move is rejected if both addresses lead to the same server', async () => {
    await rejectSharedServer(target, source);
    await expect(rejectSharedServer(source, { ...source, host: 'localhost' })).rejects.toThrow(
      'are on one database server',
    );
  });
});
