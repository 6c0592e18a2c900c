import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runStatements, withConnection } from './mysql-admin.mjs';
import { SESSION_MAXIMA_MB } from './mysql-flags.mjs';
import { makePassword } from './start-mysql-server.mjs';

/** @type {import('../../test-servers/start-test-servers.mjs').TestServers} */
const servers = JSON.parse(String(process.env['ROWHOUSE_TEST_SERVERS']));

/** The memory of all direct sessions of a server together, by default (DIRECT_MEMORY_MB). */
const DIRECT_MEMORY_BYTES = 2 ** 32;

const ENGINES = ['MyISAM', 'MEMORY', 'CSV', 'Aria', 'MRG_MyISAM', 'ARCHIVE', 'BLACKHOLE'];

describe.each(servers.engines)('the owner of a schema on $engine', (server) => {
  const name = `bounds${server.engine}`;
  const owner = { ...server, user: name, password: makePassword(), database: name };

  beforeAll(() =>
    runStatements(server, [
      `CREATE DATABASE ${name}`,
      `CREATE USER '${name}'@'%' IDENTIFIED BY '${owner.password}'`,
      `GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, CREATE TEMPORARY TABLES ON ${name}.* TO '${name}'@'%'`,
    ]),
  );
  afterAll(() =>
    runStatements(server, [`DROP USER IF EXISTS '${name}'@'%'`, `DROP DATABASE IF EXISTS ${name}`]),
  );

  it('a tenant account can create only InnoDB tables, whatever its session settings', () =>
    withConnection(owner, async (connection) => {
      await connection.query('CREATE TABLE kept (a int NOT NULL)');
      for (const mode of [
        null,
        "SET SESSION sql_mode = ''",
        'SET SESSION default_storage_engine = MyISAM',
        'SET SESSION enforce_storage_engine = NULL',
        "SET SESSION disabled_storage_engines = ''",
      ]) {
        // The server may reject the setting itself. The limit must hold in both cases.
        if (mode !== null) await connection.query(mode).catch(() => undefined);
        for (const engine of ENGINES) {
          await connection
            .query(`CREATE TABLE other${engine} (a int NOT NULL) ENGINE=${engine}`)
            .catch(() => undefined);
          await connection.query(`ALTER TABLE kept ENGINE=${engine}`).catch(() => undefined);
        }
        await connection.query('CREATE TABLE IF NOT EXISTS plain (a int NOT NULL)').catch(() => undefined);
        await connection
          .query(
            'CREATE TABLE IF NOT EXISTS parts (a int NOT NULL) ENGINE=MyISAM PARTITION BY HASH(a) PARTITIONS 2',
          )
          .catch(() => undefined);
      }
      const [tables] = await connection.query(
        'SELECT DISTINCT ENGINE AS engine FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
      );
      expect(tables).toEqual([{ engine: 'InnoDB' }]);
      await connection.query('CREATE TEMPORARY TABLE held (a int) ENGINE=MEMORY').catch(() => undefined);
      const [[held]] = /** @type {any} */ (
        await connection.query('SHOW CREATE TABLE held').catch(() => [[undefined]])
      );
      expect(held === undefined || /ENGINE=InnoDB/.test(held['Create Table'])).toBe(true);
    }));

  it('a session cannot raise its memory settings above their maximum values', () =>
    withConnection(owner, async (connection) => {
      for (const [option, mb] of Object.entries({
        ...SESSION_MAXIMA_MB.both,
        ...SESSION_MAXIMA_MB[server.engine],
      })) {
        const variable = option.replaceAll('-', '_');
        await connection.query(`SET SESSION ${variable} = ${2 ** 42}`);
        const [[row]] = /** @type {any} */ (
          await connection.query(`SELECT @@SESSION.${variable} AS value, @@GLOBAL.${variable} AS usual`)
        );
        expect(row.value, variable).toBeLessThanOrEqual(mb * 2 ** 20);
        expect(row.value, variable).toBeGreaterThan(2 ** 20);
        expect(row.usual, variable).toBeLessThanOrEqual(row.value);
      }
    }));

  it('direct sessions are ended before they take half of all prepared statements', () =>
    withConnection(owner, async (connection) => {
      const count = 500;
      const readMemory = async () => {
        const [[own]] = /** @type {any} */ (
          await connection.query(
            server.engine === 'mariadb'
              ? "SHOW SESSION STATUS LIKE 'Memory_used'"
              : 'SELECT CONNECTION_ID() AS id',
          )
        );
        if (server.engine === 'mariadb') return Number(own.Value);
        const sql = 'SELECT TOTAL_MEMORY AS bytes FROM performance_schema.threads WHERE PROCESSLIST_ID = ?';
        const [[row]] = /** @type {any} */ (
          await withConnection(server, (root) => root.query(sql, [own.id]))
        );
        return Number(row.bytes);
      };
      await connection.query('SET query_prealloc_size = 1024, query_alloc_block_size = 1024');
      const before = await readMemory();
      for (let index = 0; index < count; index += 1) await connection.query(`PREPARE p${index} FROM 'DO 1'`);
      const bytes = ((await readMemory()) - before) / count;
      const [[row]] = /** @type {any} */ (
        await connection.query('SELECT @@GLOBAL.max_prepared_stmt_count AS max')
      );
      expect(DIRECT_MEMORY_BYTES / bytes).toBeLessThan(row.max / 2);
    }));

  it.runIf(process.platform === 'linux')('the server returns memory that sessions have freed', async () => {
    const [[{ file }]] = /** @type {any} */ (
      await withConnection(server, (connection) => connection.query('SELECT @@pid_file AS file'))
    );
    const readMb = () =>
      Number(
        /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${readFileSync(file, 'utf8').trim()}/status`, 'utf8'))?.[1],
      ) / 1024;
    const names = Array.from({ length: 20 }, (_, index) => `@v${index}`);
    const set = (/** @type {string} */ value) =>
      `SET ${names.map((name) => `${name} = ${value}`).join(', ')}`;
    /** @param {number} sessions @returns {Promise<number>} */
    const keep = async (sessions) =>
      withConnection(owner, async (connection) => {
        await connection.query(set("REPEAT('x', 12000000)"));
        await connection.query(set('NULL'));
        return sessions === 1 ? readMb() : keep(sessions - 1);
      });
    const before = await keep(1);
    expect((await keep(4)) - before).toBeLessThan(200);
  });
});
