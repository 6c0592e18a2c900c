import { createTestDatabase, getTestServers, type TestDatabase, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_POOL_OPTIONS } from '../pool/pool-options.js';
import type { DbValue, PoolAccount, PoolServer } from '../types.js';
import { createTenantPools, type TenantPools } from '../pool/tenant-pools.js';
import { runStatements } from './run-statements.js';
import { keepRows } from '../testing/keep-rows.js';
import { shared } from '../testing/shared-executor.js';

/**
 * A query that examines `ROWS * ROWS` combinations for each row up to the bound number, so the number decides
 * how slow it is.
 */
const SQL =
  'SELECT MAX(a.id), CONNECTION_ID(), SUM(a.id * b.id * c.id % 7) FROM t AS a JOIN t AS b JOIN t AS c WHERE a.id <= ?';
const ROWS = 120;

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'the connection for fast reads on %s',
  (_name, engine: TestMysql) => {
    const server: PoolServer = {
      id: 'srv_quick',
      host: engine.host,
      port: engine.port,
      tls: 'off',
      engine: engine.engine,
      connectionsMax: 6,
    };
    let database: TestDatabase;
    let account: PoolAccount;
    let pools: TenantPools;

    beforeAll(async () => {
      database = await createTestDatabase(engine);
      const user = await database.addUser();
      await database.run([
        'CREATE TABLE t (id int PRIMARY KEY)',
        `INSERT INTO t VALUES ${Array.from({ length: ROWS }, (_, index) => `(${index + 1})`).join(', ')}`,
      ]);
      account = { user, password: () => 'secret', schema: database.name, connectionsMax: 4, writesMax: 2 };
      pools = createTenantPools(DEFAULT_POOL_OPTIONS);
    });
    afterAll(async () => {
      await pools.close(500);
      await database.drop();
    });
    // The latency history belongs to the account object, so each test case starts with a new object.
    beforeEach(() => (account = { ...account }));

    const read = async (upTo: number): Promise<DbValue[]> =>
      (await pools.executor.readFew({ server, account }, 2_000, { sql: SQL, params: [upTo] }, keepRows))
        .rows[0] ?? [];
    const becomeQuick = async (): Promise<void> => {
      // A busy machine may slow down one of the runs, so the loop allows more runs than are needed.
      for (let index = 0; index < 300 && !shared(pools).isFast(account, SQL); index += 1) await read(1);
      expect(shared(pools).isFast(account, SQL)).toBe(true);
    };

    it('reads share one session after sixteen fast runs in a row', async () => {
      // The sessions are opened first, so that one session does not run all reads while another is being
      // opened.
      await Promise.all(
        [1, 2, 3].map(() =>
          pools.executor.readFew(
            { server, account },
            2_000,
            { sql: 'SELECT SLEEP(0.3)', params: [] },
            keepRows,
          ),
        ),
      );
      const before = await Promise.all([1, 2, 3].map(read));
      expect(new Set(before.map(([, session]) => session)).size).toBeGreaterThan(1);
      await becomeQuick();
      const rows = await Promise.all([1, 2, 3, 1, 2, 3].map(read));
      expect(rows.map(([upTo]) => upTo)).toEqual([1, 2, 3, 1, 2, 3]);
      expect(new Set(rows.map(([, session]) => session)).size).toBe(1);
    });

    it('a read that is slow on the shared session is finished on another session', async () => {
      await becomeQuick();
      const rows = await Promise.all([1, ROWS, 2].map(read));
      expect(rows.map(([upTo]) => upTo)).toEqual([1, ROWS, 2]);
      expect(shared(pools).isFast(account, SQL)).toBe(false);
    });

    it('the shared session returns to the pool with the normal time limit', async () => {
      await becomeQuick();
      const [, onPipeline] = await read(1);
      await expect
        .poll(async () => {
          const slow = await Promise.all(
            [1, 2, 3, 4].map(() =>
              runStatements(pools, { server, account }, { mode: 'read', waitMs: 2_000 }, (run) =>
                run('SELECT CONNECTION_ID(), SLEEP(0.15)', [], keepRows()),
              ),
            ),
          );
          expect(slow.map(({ rows: [row] }) => String(row?.[1]))).toEqual(['0', '0', '0', '0']);
          return slow.some(({ rows: [row] }) => row?.[0] === onPipeline);
        })
        .toBe(true);
    });
  },
);
