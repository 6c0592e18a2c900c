import { setTimeout as pause } from 'node:timers/promises';
import { JSON_FRAME } from '@rowhouse/rest-engine';
import { createTestDatabase, getTestServers, type TestDatabase, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminConnection, type AdminConnection } from '../admin/admin-connection.js';
import { JsonRows } from '../json/json-rows.js';
import { DEFAULT_POOL_OPTIONS } from '../pool/pool-options.js';
import type { FormatColumn, RowFormat } from '@rowhouse/schema-model';
import type { BindValue, DbValue, PointRead, PoolAccount, PoolServer, RowSink } from '../types.js';
import { createTenantPools, type TenantPools } from '../pool/tenant-pools.js';
import { collectRows } from '../row-sinks.js';
import { runStatements } from './run-statements.js';
import { BIND_VALUES } from '../testing/bind-values.js';
import { keepRows } from '../testing/keep-rows.js';
import { shared } from '../testing/shared-executor.js';
import { WIDE_ROWS, WIDE_TABLE } from '../testing/wide-table.js';
import { SESSIONS } from '../admin/sessions-table.js';

/**
 * The lengths cover each step of the protocol's length encoding, and values that need more than one socket
 * read.
 */
const LENGTHS = [0, 1, 250, 251, 252, 65_535, 65_536, 70_000, 3_000_000];
const ROWS = 400;

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'a pipelined connection on %s',
  (_name, engine: TestMysql) => {
    const server: PoolServer = {
      id: 'srv_pipelined',
      host: engine.host,
      port: engine.port,
      tls: 'off',
      engine: engine.engine,
      connectionsMax: 6,
    };
    const databases: TestDatabase[] = [];
    const accounts: PoolAccount[] = [];
    let root: AdminConnection;
    let pools: TenantPools;

    beforeAll(async () => {
      root = await openAdminConnection(engine);
      for (let index = 0; index < 2; index += 1) {
        const database = await createTestDatabase(engine);
        const user = await database.addUser();
        await database.run([
          "SET SESSION sql_mode = 'NO_ENGINE_SUBSTITUTION'",
          WIDE_TABLE,
          ...WIDE_ROWS.map((row) => `INSERT INTO wide VALUES ${row}`),
          'CREATE TABLE t (id int PRIMARY KEY, own varchar(20) NOT NULL, note varchar(20))',
          `INSERT INTO t (id, own) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT i, CONCAT('own${index}-', i) FROM n`,
          'CREATE TABLE texts (id int PRIMARY KEY, body longtext)',
          ...LENGTHS.map((length) => `INSERT INTO texts VALUES (${length}, REPEAT('ä', ${length}))`),
        ]);
        databases.push(database);
        accounts.push({ user, password: () => 'secret', schema: database.name, connectionsMax: 3 });
      }
      pools = createTenantPools(DEFAULT_POOL_OPTIONS);
    });
    afterAll(async () => {
      await pools.close(500);
      for (const database of databases) await database.drop();
      await root.close();
    });

    const at = (index: number): { server: PoolServer; account: PoolAccount } => ({
      server,
      account: accounts[index] as PoolAccount,
    });
    const laned = async (
      index: number,
      sql: string,
      params: readonly BindValue[] = [],
    ): Promise<DbValue[][]> =>
      (
        await shared(pools).readShared(
          { server, account: at(index).account },
          2_000,
          { sql, params },
          keepRows(),
        )
      ).rows;
    const driven = (index: number, sql: string, params: readonly BindValue[] = []): Promise<DbValue[][]> =>
      runStatements(
        pools,
        at(index),
        { mode: 'read', waitMs: 2_000 },
        async (run) => (await run(sql, params, keepRows())).rows,
      );

    it('a pipelined read returns every column type in the same way as the driver', async () => {
      for (let id = 1; id <= WIDE_ROWS.length; id += 1) {
        const rows = await laned(0, 'SELECT * FROM wide WHERE id = ?', [id]);
        expect(rows).toEqual(await driven(0, 'SELECT * FROM wide WHERE id = ?', [id]));
        expect(rows).toHaveLength(1);
      }
    });

    it('a pipelined write stores every kind of value in the same way as the driver', async () => {
      for (const value of BIND_VALUES)
        expect([value, await laned(0, 'SELECT ? AS v, ? AS w', [value, 7])]).toEqual([
          value,
          await driven(0, 'SELECT ? AS v, ? AS w', [value, 7]),
        ]);
      const many = Array.from({ length: 20 }, (_, index) => (index % 3 === 0 ? null : index));
      expect(await laned(0, `SELECT ${many.map(() => '?').join(', ')}`, many)).toEqual([
        many.map((value) => (value === null ? null : String(value))),
      ]);
    });

    it('a pipelined connection receives responses of any length in pieces', async () => {
      const requestCount = [...LENGTHS, ...LENGTHS, ...LENGTHS].sort(() => 0.5 - Math.random());
      const answers = await Promise.all(
        requestCount.map((length) =>
          laned(0, 'SELECT id, CHAR_LENGTH(body), body FROM texts WHERE id = ?', [length]),
        ),
      );
      answers.forEach((rows, index) => {
        const length = requestCount[index] ?? 0;
        expect([rows.length, rows[0]?.[0], String(rows[0]?.[2]).length]).toEqual([1, length, length]);
      });
    });

    it('concurrent pipelined reads of two accounts each get their own row', async () => {
      await Promise.all(
        Array.from({ length: 60 }, async (_, caller) => {
          for (let iteration = 0; iteration < 20; iteration += 1) {
            const [index, id] = [caller % 2, 1 + ((caller * 37 + iteration * 11) % ROWS)];
            expect(
              await pools.executor.readByKey(
                at(index),
                2_000,
                { sql: 'SELECT id, own FROM t WHERE id = ?', params: [id] },
                keepRows,
              ),
            ).toMatchObject({ kind: 'rows', rows: [[id, `own${index}-${id}`]] });
          }
        }),
      );
      expect(pools.stats()[0]?.open).toBeLessThanOrEqual(6);
    });

    it('a failed pipelined statement does not affect the others', async () => {
      const pendingResponse = Array.from({ length: 30 }, (_, id) =>
        id % 5 === 4
          ? laned(0, 'SELECT nothing FROM t WHERE id = ?', [id])
          : id % 5 === 3
            ? laned(0, 'SELECT own FROM t WHERE id = ? + (SELECT 1 UNION SELECT 2)', [id])
            : laned(0, 'SELECT id FROM t WHERE id = ?', [id + 1]),
      );
      const settled = await Promise.allSettled(pendingResponse);
      settled.forEach((result, id) => {
        if (id % 5 === 4)
          expect(result).toMatchObject({ status: 'rejected', reason: { errno: 1054, sqlState: '42S22' } });
        else if (id % 5 === 3)
          expect(result).toMatchObject({ status: 'rejected', reason: { errno: 1242, sqlState: '21000' } });
        else expect(result).toMatchObject({ status: 'fulfilled', value: [[id + 1]] });
      });
    });

    it('pipelined reads continue after more statements than a session caches', async () => {
      for (const from of [0, 45, 0, 45]) {
        const numbers = Array.from({ length: 45 }, (_, index) => from + index);
        const pendingResponse = numbers.map((number) =>
          laned(0, `SELECT id, ${number} FROM t WHERE id = ?`, [number + 1]),
        );
        expect((await Promise.all(pendingResponse)).map((rows) => Number(rows[0]?.[1]))).toEqual(numbers);
      }
      const read = (): Promise<DbValue[][]> => laned(1, 'SELECT * FROM t WHERE id = ?', [5]);
      expect(await read()).toEqual([[5, 'own1-5', null]]);
      await databases[1]?.run(['ALTER TABLE t ADD COLUMN born date NOT NULL DEFAULT "2026-01-02" AFTER id']);
      expect(await read()).toEqual([[5, '2026-01-02', 'own1-5', null]]);
      await databases[1]?.run([
        'ALTER TABLE t MODIFY born bigint NOT NULL DEFAULT 1, DROP COLUMN note',
        'UPDATE t SET born = 9007199254740993',
      ]);
      expect(await read()).toEqual([[5, '9007199254740993', 'own1-5']]);
    });

    const asJson = (format: RowFormat): RowSink<string> => {
      let rows: JsonRows | null = null;
      return {
        columns: null,
        wire: (layout) => (rows = new JsonRows(layout, format, 1_000_000)),
        row: () => {
          throw new Error('rows come as bytes');
        },
        end: () => rows?.arrayBytes(rows.rowCount).toString() ?? '[]',
      };
    };

    it('a pipelined read writes JSON by the columns of the current response after an ALTER', async () => {
      const column = (name: string, format: FormatColumn['way']): FormatColumn => ({
        name,
        way: format,
        isOutput: true,
        isQuoted: false,
        needsQuotes: () => false,
        fraction: 0,
        long: null,
        write: (cell) => JSON.stringify(cell),
      });
      const format: RowFormat = {
        frame: JSON_FRAME,
        columns: [column('id', 'integer'), column('n', 'integer')],
        keys: [1],
      };
      await databases[0]?.run([
        'CREATE TABLE moved (id int PRIMARY KEY, n int)',
        'INSERT INTO moved VALUES (1, -5), (2, NULL)',
      ]);
      const sql = 'SELECT id, n FROM moved WHERE id IN (?, 2) ORDER BY id';
      const read = async (): Promise<string[]> => [
        (
          await shared(pools).readShared(
            { server, account: at(0).account },
            2_000,
            { sql, params: ['1'] },
            asJson(format),
          )
        ).rows,
        (
          await runStatements(pools, at(0), { mode: 'read', waitMs: 2_000 }, (run) =>
            run(sql, ['1'], asJson(format)),
          )
        ).rows,
      ];
      const changes: [string[], string][] = [
        [[], '-5'],
        [
          [
            'UPDATE moved SET n = NULL',
            'ALTER TABLE moved MODIFY n bigint unsigned',
            'UPDATE moved SET n = 18446744073709551615 WHERE id = 1',
          ],
          '18446744073709551615',
        ],
        [
          ['ALTER TABLE moved MODIFY n varchar(40)', `UPDATE moved SET n = 'a "word"' WHERE id = 1`],
          '"a \\"word\\""',
        ],
        [["UPDATE moved SET n = '7'", 'ALTER TABLE moved MODIFY n tinyint'], '7'],
      ];
      for (const [ddl, n] of changes) {
        await databases[0]?.run(ddl);
        const last = n === '7' ? '7' : 'null';
        expect(await read()).toEqual([
          `[{"id":1,"n":${n}},{"id":2,"n":${last}}]`,
          `[{"id":1,"n":${n}},{"id":2,"n":${last}}]`,
        ]);
      }
    });

    /** Counts only the accounts of this file, because other files use the server at the same time. */
    const countStatements = async (): Promise<number> => {
      const sql = `SELECT SUM(COUNT_STAR) AS n FROM performance_schema.events_statements_summary_by_account_by_event_name WHERE USER IN (${accounts.map(() => '?').join(', ')})`;
      return Number(
        (
          await root.rows<{ n: string }>(
            sql,
            accounts.map(({ user }) => user),
          )
        )[0]?.n,
      );
    };

    it('concurrent reads by an integer key are grouped, and each caller gets its own row', async () => {
      const point: PointRead = {
        at: 0,
        sqlOf: (count) =>
          `SELECT id, own FROM t WHERE id IN (${Array.from({ length: count }, () => '?').join(', ')})`,
      };
      const before = await countStatements();
      let requestCount = 0;
      for (let iteration = 0; iteration < 12; iteration += 1) {
        const ids = Array.from({ length: 1 + ((iteration * 7) % 45) }, (_, index) =>
          index % 9 === 8 ? ROWS + index : 1 + ((iteration * 31 + index * 17) % 40),
        );
        requestCount += ids.length;
        const found = await Promise.all(
          ids.map((id) =>
            shared(pools).readShared(
              { server, account: at(1).account },
              2_000,
              { sql: 'SELECT id, own FROM t WHERE id = ?', params: [String(id)], point },
              keepRows(),
            ),
          ),
        );
        expect(found.map(({ rows }) => rows)).toEqual(
          ids.map((id) => (id > ROWS ? [] : [[id, `own1-${id}`]])),
        );
      }
      const sent = (await countStatements()) - before;
      expect([sent > 11, sent < requestCount / 2]).toEqual([true, true]);
      // A key that is not a canonical integer is sent in a separate statement and matches what the engine
      // matches.
      expect(
        (
          await shared(pools).readShared(
            { server, account: at(1).account },
            2_000,
            { sql: 'SELECT id, own FROM t WHERE id = ?', params: ['007'], point },
            keepRows(),
          )
        ).rows,
      ).toEqual([[7, 'own1-7']]);
    });

    it('the reads of a rejected group are repeated one by one', async () => {
      const point: PointRead = {
        at: 0,
        sqlOf: (count) =>
          `SELECT id, own FROM t WHERE id IN (${Array.from({ length: count }, () => '?').join(', ')}) AND id > (SELECT 1 UNION SELECT 2)`,
      };
      for (let iteration = 0; iteration < 3; iteration += 1) {
        const found = await Promise.all(
          [5, 6, 7, 8].map((id) =>
            shared(pools).readShared(
              { server, account: at(0).account },
              2_000,
              { sql: 'SELECT id, own FROM t WHERE id = ?', params: [String(id)], point },
              keepRows(),
            ),
          ),
        );
        expect(found.map(({ rows }) => rows)).toEqual([5, 6, 7, 8].map((id) => [[id, `own0-${id}`]]));
      }
    });

    it('a statement that cannot be pipelined runs on a separate session', async () => {
      const read = (sql: string, params: readonly BindValue[]): Promise<{ rows: unknown }> =>
        pools.executor.readByKey(at(0), 2_000, { sql, params }, keepRows);
      expect((await read('SELECT POINT(1, 2), ? + 0', [1])).rows).toEqual(
        await driven(0, 'SELECT POINT(1, 2), ? + 0', [1]),
      );
      expect((await read('SELECT CHAR_LENGTH(?)', ['z'.repeat(2_000_000)])).rows).toEqual(
        await driven(0, 'SELECT CHAR_LENGTH(?)', ['z'.repeat(2_000_000)]),
      );
    });

    it('a session opened for an unsupported statement returns to the pool', async () => {
      for (let iteration = 0; iteration < 8; iteration += 1) {
        const { rows } = await pools.executor.readByKey(
          at(0),
          2_000,
          { sql: 'SELECT id FROM t WHERE id = ?', params: [iteration + 1] },
          () => collectRows({ bytesMax: 100 }),
        );
        expect(rows.rows).toEqual([[iteration + 1]]);
        await expect.poll(() => pools.stats()[0]?.idle).toBe(pools.stats()[0]?.open);
      }
    });

    it('a pipelined statement is stopped at its time limit, and the others get their rows', async () => {
      const short = createTenantPools({ ...DEFAULT_POOL_OPTIONS, statementMsMax: 500, graceMs: 300 });
      const slow = short.executor
        .readByKey(at(0), 2_000, { sql: 'SELECT SLEEP(20), id FROM t WHERE id = ?', params: [1] }, keepRows)
        .then(
          (result) => result.rows,
          (error: unknown) => error,
        );
      const others = await Promise.all(
        Array.from({ length: 10 }, (_, id) =>
          short.executor.readByKey(
            at(0),
            2_000,
            { sql: 'SELECT id FROM t WHERE id = ?', params: [id + 1] },
            keepRows,
          ),
        ),
      );
      expect(others.map(({ rows }) => rows)).toEqual(Array.from({ length: 10 }, (_, id) => [[id + 1]]));
      // When SLEEP reaches the time limit, MySQL returns a row instead of an error.
      const how = await slow;
      expect(Array.isArray(how) ? how : (how as { code: string }).code).toEqual(
        engine.engine === 'mysql' ? [['1', 1]] : 'limit.statement_time',
      );
      await short.close(500);
    });

    it('readShared rejects once with the lost connection, and readByKey repeats the read', async () => {
      const sql = 'SELECT id, own FROM t WHERE id = ?';
      let isFinished = false;
      let answeredInAll = 0;
      const killing = (async (): Promise<number> => {
        let kills = 0;
        // The kills start after some reads succeeded. A fixed pause is not enough, because logging in may
        // take longer on a busy machine.
        for (let killedAt = 0; !isFinished; await pause(5)) {
          if (answeredInAll - killedAt < 40) continue;
          killedAt = answeredInAll;
          for (const { Id } of await root.rows<{ Id: number }>(
            `SELECT ID AS Id FROM ${SESSIONS} WHERE USER = ?`,
            [accounts[0]?.user ?? ''],
          )) {
            kills += 1;
            await root.run(`KILL ${Id}`).catch(() => undefined);
          }
        }
        return kills;
      })();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, async (_, caller) => {
          let answered = 0;
          for (let iteration = 0; iteration < 40; iteration += 1) {
            const id = 1 + ((caller * 7 + iteration) % ROWS);
            // If the connection is lost twice in a row, the caller gets the error.
            const how = await pools.executor.readByKey(at(0), 2_000, { sql, params: [id] }, keepRows).then(
              (result) => result.rows,
              (error: { code?: string }) => error.code,
            );
            expect(Array.isArray(how) ? how : [[how]]).toEqual(
              Array.isArray(how) ? [[id, `own0-${id}`]] : [['db.unavailable']],
            );
            answered += Array.isArray(how) ? 1 : 0;
            answeredInAll += 1;
          }
          return answered;
        }),
      );
      isFinished = true;
      expect(await killing).toBeGreaterThan(0);
      expect(outcomes.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(600);
      expect(await laned(0, sql, [3])).toEqual([[3, 'own0-3']]);
    });
  },
);
