import { getTestServers, makeUniqueName, type TestMysql } from '@rowhouse/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openAdminConnection, type AdminConnection } from '../admin/admin-connection.js';
import { DEFAULT_POOL_OPTIONS } from './pool-options.js';
import { PoolSession } from '../session/pool-session.js';
import type { PoolAccount, PoolServer } from '../types.js';
import { createTenantPools, type TenantPools } from './tenant-pools.js';
import { collectRows } from '../row-sinks.js';
import { runStatements } from '../execute/run-statements.js';
import type { RunMode } from '../execute/run-options.js';
import { POISON_NOTE, watchTakeovers, type TakeoverCounts } from '../testing/index.js';

/** The number of tenants is lower on MySQL, where creating a table takes five times as long. */
const TENANTS = { mariadb: 200, mysql: 40 } as const;
const TAKEOVERS = { mariadb: 2_000, mysql: 500 } as const;
const CALLERS = 12;
const POOLS = 3;

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'sessions that change owners on %s',
  (_name, engine: TestMysql) => {
    const server: PoolServer = {
      id: 'srv_takeover',
      host: engine.host,
      port: engine.port,
      tls: 'off',
      engine: engine.engine,
      connectionsMax: 3,
    };
    const accounts: PoolAccount[] = [];
    let root: AdminConnection;
    /** The pools, one for each simulated gateway. */
    let pools: TenantPools[];

    beforeAll(async () => {
      root = await openAdminConnection(engine);
      for (let index = 0; index < TENANTS[engine.engine]; index += 1) {
        const name = makeUniqueName('o', 16);
        await root.run(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
        await root.run(
          `CREATE TABLE ${name}.own (id int AUTO_INCREMENT PRIMARY KEY, tenant varchar(20) NOT NULL DEFAULT '${name}', note varchar(20))`,
        );
        await root.run(`INSERT INTO ${name}.own (note) VALUES ('first')`);
        await root.run(`CREATE USER ${name}@'%' IDENTIFIED BY 'secret'`);
        await root.run(
          `GRANT SELECT, INSERT, UPDATE, DELETE, CREATE TEMPORARY TABLES, LOCK TABLES ON ${name}.* TO ${name}@'%'`,
        );
        accounts.push({ user: name, password: () => 'secret', schema: name, connectionsMax: 2 });
      }
      pools = Array.from({ length: POOLS }, () =>
        createTenantPools({ ...DEFAULT_POOL_OPTIONS, statementMsMax: 10_000 }),
      );
    });

    afterEach(() => vi.restoreAllMocks());
    afterAll(async () => {
      await Promise.all(pools.map((pool) => pool.close(500)));
      for (const { user } of accounts) {
        await root.run(`DROP USER IF EXISTS ${user}@'%'`);
        await root.run(`DROP DATABASE IF EXISTS ${user}`);
      }
      await root.close();
    });

    /** Reads a row that names its tenant, in one of the ways that a request can read it. */
    async function askWhose(iteration: number): Promise<{ wanted: string; reported: unknown }> {
      const account = accounts[(iteration * 7_919) % accounts.length] as PoolAccount;
      const [pool, target] = [pools[iteration % POOLS] as TenantPools, { server, account }];
      const sink = () => collectRows({ bytesMax: 1_000 });
      if (iteration % 4 === 0)
        return {
          wanted: account.user,
          reported: (
            await pool.executor.readByKey(
              target,
              20_000,
              { sql: 'SELECT tenant FROM own WHERE id = ?', params: [1] },
              sink,
            )
          ).rows.rows[0]?.[0],
        };
      const mode: RunMode = iteration % 4 === 1 ? 'dry_run' : iteration % 4 === 2 ? 'read_only' : 'read';
      const reported = await runStatements(pool, target, { mode, waitMs: 20_000 }, async (run) => {
        if (mode === 'dry_run') await run('INSERT INTO own (note) VALUES (?)', ['undone'], sink());
        return (await run('SELECT tenant FROM own ORDER BY id DESC LIMIT 1', [], sink())).rows.rows[0]?.[0];
      });
      return { wanted: account.user, reported };
    }

    async function changeHands(times: number, until: () => TakeoverCounts): Promise<string[]> {
      const wrong: string[] = [];
      let iteration = 0;
      const call = async (): Promise<void> => {
        while (until().takeovers < times && wrong.length < 10) {
          const { wanted: expected, reported } = await askWhose((iteration += 1));
          if (reported !== expected) wrong.push(`${String(reported)} for ${expected}`);
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, call));
      return wrong;
    }

    it('a session that is taken over keeps no state of its previous account', async () => {
      const times = TAKEOVERS[engine.engine];
      const watch = watchTakeovers({
        compareEvery: 50,
        rightsOf: (_account, iteration) => ({
          table: 'own',
          kind: iteration % 2 === 0 ? 'transaction' : 'locked',
        }),
      });
      try {
        expect(await changeHands(times, watch.counts)).toEqual([]);
        const { poisoned, compared, remains, refusals: rejections } = watch.counts();
        expect(remains).toEqual([]);
        // Some sessions cannot be poisoned completely, because another session of the account may hold the
        // same lock.
        expect(poisoned, rejections.join('\n')).toBeGreaterThanOrEqual(times * 0.95);
        expect(compared).toBeGreaterThanOrEqual(times / 50);
      } finally {
        watch.stop();
      }
      for (const pool of pools) expect(pool.stats()[0]?.open).toBeLessThanOrEqual(3);
      for (const { schema } of accounts)
        expect(await root.rows(`SELECT id FROM ${schema}.own WHERE note = '${POISON_NOTE}'`)).toEqual([]);
    });

    it('the takeover test detects state and accounts that are left on a session', async () => {
      vi.spyOn(PoolSession.prototype, 'become').mockImplementation(function pretend(
        this: PoolSession,
        account,
      ) {
        this.account = account;
        return Promise.resolve();
      });
      const watch = watchTakeovers({
        compareEvery: 1,
        rightsOf: () => ({ table: 'own', kind: 'transaction' }),
      });
      try {
        // Starts enough callers that some session passes from one account to another.
        await Promise.allSettled([changeHands(30, watch.counts)]);
        const found = watch.counts().remains.join('\n');
        for (const trace of [
          'it is ',
          'it is in ',
          'a transaction',
          'a prepared statement',
          'a temporary table',
          'a lock by name',
          'sql_mode is ',
          'time_zone is ',
          'autocommit is ',
        ])
          expect(found).toContain(trace);
      } finally {
        watch.stop();
        vi.restoreAllMocks();
        await Promise.all(pools.map((pool) => pool.close(0)));
        pools = [];
      }
    });
  },
);
