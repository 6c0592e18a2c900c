import { isDeepStrictEqual as equals } from 'node:util';
import { createTestDatabase, getTestServers, type TestDatabase, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminConnection, type AdminConnection } from '../admin/admin-connection.js';
import { DEFAULT_POOL_OPTIONS } from '../pool/pool-options.js';
import type { BindValue, DbValue, PoolAccount, PoolServer, StatementResult } from '../types.js';
import { createTenantPools, type TenantPools } from '../pool/tenant-pools.js';
import { runStatements } from '../execute/run-statements.js';
import { BIND_VALUES } from '../testing/bind-values.js';
import { keepRows } from '../testing/keep-rows.js';
import { WIDE_ROWS, WIDE_TABLE } from '../testing/wide-table.js';

/** The two ways of reading responses. Each has its own tables, so that their results can be compared. */
const CODE_PATHS = ['wire', 'driver'] as const;
type CodePath = (typeof CODE_PATHS)[number];

const TABLES = [
  WIDE_TABLE,
  'CREATE TABLE copied LIKE wide',
  'CREATE TABLE t (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, own varchar(40) NOT NULL UNIQUE, size int CHECK (size > 0), parent bigint unsigned, FOREIGN KEY (parent) REFERENCES t (id))',
  'CREATE TABLE far (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, own varchar(40) NOT NULL)',
  'CREATE TABLE values_ (id int AUTO_INCREMENT PRIMARY KEY, v longblob)',
  'CREATE TABLE places (id int AUTO_INCREMENT PRIMARY KEY, p point NOT NULL)',
];

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'writes whose responses are read from the packets on %s',
  (_name, engine: TestMysql) => {
    const server: PoolServer = {
      id: 'srv_writes',
      host: engine.host,
      port: engine.port,
      tls: 'off',
      engine: engine.engine,
      connectionsMax: 8,
    };
    const hasReturning = engine.engine === 'mariadb';
    const databases: TestDatabase[] = [];
    const accounts: PoolAccount[] = [];
    const pools = {} as Record<CodePath, TenantPools>;
    let root: AdminConnection;

    beforeAll(async () => {
      root = await openAdminConnection(engine);
      for (let index = 0; index < CODE_PATHS.length; index += 1) {
        const database = await createTestDatabase(engine);
        const user = await database.addUser();
        await database.run([
          "SET SESSION sql_mode = 'NO_ENGINE_SUBSTITUTION'",
          ...TABLES,
          ...WIDE_ROWS.map((row) => `INSERT INTO wide VALUES ${row}`),
        ]);
        databases.push(database);
        accounts.push({ user, password: () => 'secret', schema: database.name, connectionsMax: 3 });
      }
      for (const codePath of CODE_PATHS)
        pools[codePath] = createTenantPools({ ...DEFAULT_POOL_OPTIONS, answersReadBy: codePath });
    });
    afterAll(async () => {
      await Promise.all(CODE_PATHS.map((codePath) => pools[codePath].close(500)));
      for (const database of databases) await database.drop();
      await root.close();
    });

    type Outcome =
      | Omit<StatementResult<DbValue[][]>, 'elapsedMs'>
      | { readonly errno: unknown; readonly sqlState: unknown; readonly code: unknown };

    /** Runs an autocommitted write on the tables of the tenant. */
    async function write(
      codePath: CodePath,
      tenant: number,
      sql: string,
      params: readonly BindValue[] = [],
    ): Promise<Outcome> {
      const account = accounts[tenant] as PoolAccount;
      try {
        const { kind, rows, counts, isCut } = await runStatements(
          pools[codePath],
          { server, account },
          { mode: 'write', waitMs: 5_000 },
          (run) => run(sql, params, keepRows()),
        );
        return { kind, rows, counts, isCut };
      } catch (error) {
        const { errno, sqlState, code } = error as Record<string, unknown>;
        return { errno, sqlState, code };
      }
    }
    /**
     * Runs the same write in both ways, each on its own tables. Checks that the results are equal, and
     * returns one of them.
     */
    async function writeBoth(sql: string, params: readonly BindValue[] = []): Promise<Outcome> {
      const [ours, theirs] = await Promise.all(
        CODE_PATHS.map((codePath, tenant) => write(codePath, tenant, sql, params)),
      );
      expect([sql, ours]).toEqual([sql, theirs]);
      return ours as Outcome;
    }

    it('the packet reader returns the same counts and insert ids as the driver', async () => {
      expect(await writeBoth('INSERT INTO t (own) VALUES (?)', ['first'])).toMatchObject({
        kind: 'counts',
        counts: { affectedRows: 1, insertId: '1' },
      });
      expect(await writeBoth('INSERT INTO t (own) VALUES (?), (?), (?)', ['a', 'b', 'c'])).toMatchObject({
        counts: { affectedRows: 3, insertId: '2' },
      });
      // A row that already had the value counts as matched.
      for (const size of [5, 5])
        expect(await writeBoth('UPDATE t SET size = ? WHERE own = ?', [size, 'a'])).toMatchObject({
          counts: { affectedRows: 1, insertId: '0' },
        });
      expect(await writeBoth('UPDATE t SET size = ? WHERE own = ?', [5, 'nobody'])).toMatchObject({
        counts: { affectedRows: 0 },
      });
      expect(await writeBoth('DELETE FROM t WHERE own IN (?, ?)', ['b', 'c'])).toMatchObject({
        counts: { affectedRows: 2 },
      });
      expect(await writeBoth('UPDATE t SET own = ? WHERE own = ?', ['x'.repeat(40), 'first'])).toMatchObject({
        counts: { affectedRows: 1 },
      });
    });

    it('the packet reader returns ids above 63 bits, which the driver reads as negative', async () => {
      const added = ['INSERT INTO far (own) VALUES (?)', ['behind']] as const;
      for (const [tenant, codePath] of CODE_PATHS.entries())
        await write(codePath, tenant, 'INSERT INTO far VALUES (?, ?)', [2n ** 63n + 1n, 'first']);
      expect(await write('wire', 0, ...added)).toMatchObject({
        counts: { affectedRows: 1, insertId: String(2n ** 63n + 2n) },
      });
      expect(await write('driver', 1, ...added)).toMatchObject({
        counts: { insertId: String(2n - 2n ** 63n) },
      });
    });

    it('the packet reader rejects with the errors of the driver and keeps the session usable', async () => {
      const rejected: readonly (readonly [string, readonly BindValue[]])[] = [
        ['INSERT INTO t (own) VALUES (?)', ['a']],
        ['INSERT INTO t (own) VALUES (?)', [null]],
        ['INSERT INTO t (own) VALUES (?)', ['y'.repeat(41)]],
        ['UPDATE t SET size = ? WHERE own = ?', [-1, 'a']],
        ['UPDATE t SET parent = ? WHERE own = ?', [77, 'a']],
        ['INSERT INTO t (own, size) VALUES (?, ?)', ['z', 'no number']],
        ['DELETE FROM nothing WHERE id = ?', [1]],
        ['UPDATE t SET nothing = ?', [1]],
      ];
      for (const [sql, params] of rejected)
        expect(await writeBoth(sql, params)).toMatchObject({
          errno: expect.any(Number),
          sqlState: expect.any(String),
        });
      expect(await writeBoth('UPDATE t SET size = ? WHERE own = ?', [7, 'a'])).toMatchObject({
        counts: { affectedRows: 1 },
      });
    });

    it('the packet reader stores every kind of value as the driver does', async () => {
      const values: readonly BindValue[] = [...BIND_VALUES, 'z'.repeat(1_100_000)];
      for (const value of values) await writeBoth('INSERT INTO values_ (v) VALUES (?)', [value]);
      const [ours, theirs] = await Promise.all(
        databases.map(({ name }) => root.rows(`SELECT id, HEX(v) AS v FROM \`${name}\`.values_ ORDER BY id`)),
      );
      expect(ours).toHaveLength(values.length);
      expect(ours).toEqual(theirs);
    });

    it('values and rows that exactly fill packets of 16 MiB are sent and read unchanged', async () => {
      // A row with one value has a marker byte, a NULL bitmap byte, four length bytes and the value. The
      // server may reject a value that it considers too large.
      const full = 2 ** 24 - 1;
      const sizes = [full - 6, full - 5];
      const back = hasReturning ? ' RETURNING v' : '';
      for (const size of sizes) {
        const [ours, theirs] = await Promise.all(
          CODE_PATHS.map((codePath, tenant) =>
            write(codePath, tenant, `INSERT INTO values_ (v) VALUES (REPEAT(?, ${size}))${back}`, ['x']),
          ),
        );
        expect([size, equals(ours, theirs)]).toEqual([size, true]);
      }
      const [ours, theirs] = await Promise.all(
        CODE_PATHS.map((codePath, tenant) =>
          write(codePath, tenant, 'INSERT INTO values_ (v) VALUES (?)', [
            new Uint8Array(full + 1).fill(0xfe),
          ]),
        ),
      );
      expect(equals(ours, theirs)).toBe(true);
      const [mine, other] = await Promise.all(
        databases.map(({ name }) =>
          root.rows(
            `SELECT LENGTH(v) AS size, SHA2(v, 256) AS v FROM \`${name}\`.values_ WHERE LENGTH(v) > 10000000 ORDER BY id`,
          ),
        ),
      );
      expect(mine).toEqual(other);
      expect(mine?.length).toBeGreaterThan(0);
    });

    it.runIf(hasReturning)(
      'the packet reader returns rows of every type like the driver, even after an ALTER TABLE',
      async () => {
        // The last row contains dates that the strict SQL mode does not store.
        for (let id = 1; id < WIDE_ROWS.length; id += 1)
          expect(
            await writeBoth('INSERT INTO copied SELECT * FROM wide WHERE id = ? RETURNING *', [id]),
          ).toMatchObject({ kind: 'rows', rows: [expect.arrayContaining([id])] });
        expect(await writeBoth('DELETE FROM copied WHERE id <= ? RETURNING id, t, tx, j', [2])).toMatchObject(
          { rows: [expect.arrayContaining([1]), expect.arrayContaining([2])] },
        );
        const back = 'INSERT INTO t (own) VALUES (?) RETURNING *';
        await writeBoth(back, ['before']);
        for (const database of databases)
          await database.run(['ALTER TABLE t ADD COLUMN born date NOT NULL DEFAULT "2026-01-02" AFTER id']);
        expect(await writeBoth(back, ['between'])).toMatchObject({
          rows: [expect.arrayContaining(['2026-01-02', 'between'])],
        });
        for (const database of databases)
          await database.run(['ALTER TABLE t MODIFY born bigint NOT NULL DEFAULT 9007199254740993']);
        expect(await writeBoth(back, ['after'])).toMatchObject({
          rows: [expect.arrayContaining(['9007199254740993', 'after'])],
        });
        expect(await writeBoth(back, ['after'])).toMatchObject({ errno: 1062 });
      },
    );

    it.runIf(hasReturning)(
      'the packet reader passes on rows that only the driver can decode without a second write',
      async () => {
        for (let iteration = 1; iteration <= 3; iteration += 1) {
          expect(
            await write('wire', 0, 'INSERT INTO places (p) VALUES (POINT(?, 2)) RETURNING id, p, 7', [
              iteration,
            ]),
          ).toMatchObject({ kind: 'rows', rows: [[iteration, expect.any(Buffer), 7]] });
        }
        expect(await root.rows(`SELECT COUNT(*) AS n FROM \`${databases[0]?.name ?? ''}\`.places`)).toEqual([
          { n: 3 },
        ]);
      },
    );

    it('each concurrent write goes once to the tables of its own tenant', async () => {
      await Promise.all(
        Array.from({ length: 24 }, async (_, caller) => {
          const tenant = caller % 2;
          for (let iteration = 0; iteration < 10; iteration += 1) {
            const own = `tenant${tenant}-${caller}-${iteration}`;
            expect(await write('wire', tenant, 'INSERT INTO t (own) VALUES (?)', [own])).toMatchObject({
              kind: 'counts',
              counts: { affectedRows: 1 },
            });
            expect(
              await write('wire', tenant, 'UPDATE t SET size = ? WHERE own = ?', [iteration + 1, own]),
            ).toMatchObject({ counts: { affectedRows: 1 } });
            expect(
              await write('wire', 1 - tenant, 'UPDATE t SET size = ? WHERE own = ?', [iteration + 1, own]),
            ).toMatchObject({ counts: { affectedRows: 0 } });
          }
        }),
      );
      for (const [tenant, { name }] of databases.entries()) {
        const found = await root.rows<{ own: string; size: number }>(
          `SELECT own, size FROM \`${name}\`.t WHERE own LIKE 'tenant%'`,
        );
        expect(found).toHaveLength(120);
        for (const { own, size } of found)
          expect([own.startsWith(`tenant${tenant}-`), `${size - 1}`]).toEqual([true, own.split('-')[2]]);
      }
    });
  },
);
