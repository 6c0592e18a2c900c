import { createServer, type AddressInfo } from 'node:net';
import {
  createTestDatabase,
  getTestServers,
  startTcpProxy,
  type TestDatabase,
  type TestMysql,
} from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminConnection, type AdminConnection } from '../admin/admin-connection.js';
import { DatabaseFault } from '../faults.js';
import { DEFAULT_POOL_OPTIONS } from './pool-options.js';
import { shareStatements } from './prepared-statement-share.js';
import { createTenantPools, type TenantPools } from './tenant-pools.js';
import { collectRows } from '../row-sinks.js';
import { runStatements } from '../execute/run-statements.js';
import type { BindValue, PoolAccount, PoolServer } from '../types.js';

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'tenant pools on %s',
  (_name, engine: TestMysql) => {
    const databases: TestDatabase[] = [];
    const accounts: PoolAccount[] = [];
    let root: AdminConnection;
    let pools: TenantPools;
    const server: PoolServer = {
      id: 'srv_test',
      host: engine.host,
      port: engine.port,
      tls: 'off',
      engine: engine.engine,
      connectionsMax: 2,
    };

    beforeAll(async () => {
      root = await openAdminConnection(engine);
      for (let index = 0; index < 3; index += 1) {
        const database = await createTestDatabase(engine);
        databases.push(database);
        const user = await database.addUser({
          rights: 'SELECT, INSERT, UPDATE, DELETE',
          login: `IDENTIFIED BY 'secret${index}'`,
        });
        await database.run([
          'CREATE TABLE t (id int AUTO_INCREMENT PRIMARY KEY, n bigint, s varchar(20), UNIQUE KEY (s))',
          `INSERT INTO t (n, s) VALUES (${index}, 'own${index}')`,
        ]);
        accounts.push({ user, password: () => `secret${index}`, schema: database.name, connectionsMax: 2 });
      }
      pools = createTenantPools({ ...DEFAULT_POOL_OPTIONS, statementMsMax: 400, graceMs: 300 });
    });

    afterAll(async () => {
      await pools.close(500);
      for (const database of databases) await database.drop();
      await root.close();
    });

    function account(index: number): PoolAccount {
      const found = accounts[index];
      if (found === undefined) throw new Error('no such account');
      return found;
    }

    async function query(
      index: number,
      sql: string,
      values: readonly BindValue[] = [],
    ): Promise<readonly (readonly unknown[])[]> {
      const target = { server, account: account(index) };
      return runStatements(
        pools,
        target,
        { mode: 'read', waitMs: 20_000 },
        async (run) => (await run(sql, values, collectRows({ bytesMax: 1e6 }))).rows.rows,
      );
    }

    it("a tenant at the session limit takes over another tenant's idle session with a new identity", async () => {
      const before = pools.stats()[0]?.takeovers ?? 0;
      for (let iteration = 0; iteration < 30; iteration += 1) {
        const index = iteration % 3;
        const rows = await query(
          index,
          'SELECT CURRENT_USER(), DATABASE(), s, @mine, @@time_zone, @@character_set_connection FROM t WHERE n = ?',
          [index],
        );
        expect(rows).toEqual([
          [`${account(index).user}@%`, account(index).schema, `own${index}`, null, '+00:00', 'utf8mb4'],
        ]);
        await query(index, "SELECT @mine := 'left behind'");
      }
      expect(pools.stats()[0]?.open).toBeLessThanOrEqual(2);
      expect((pools.stats()[0]?.takeovers ?? 0) - before).toBeGreaterThan(5);
    });

    it('the pool opens no more sessions than its limit', async () => {
      const pressed: string[] = [];
      const bounded = createTenantPools({
        ...DEFAULT_POOL_OPTIONS,
        connectionsFloor: 1,
        onPressure: (serverId) => pressed.push(serverId),
      });
      const wide = { ...server, connectionsMax: 3 };
      const take = () => bounded.acquire(wide, { ...account(0), connectionsMax: 3 }, 5_000);
      const first = await take();
      const others = [take(), take()];
      expect(pressed).toContain('srv_test');
      expect(bounded.stats()[0]).toMatchObject({ open: 1, limit: 1, waiting: 2 });
      bounded.setLimit('srv_test', 50);
      const sessions = [first, ...(await Promise.all(others))];
      expect(bounded.stats()[0]).toMatchObject({ open: 3, limit: 3 });
      bounded.setLimit('srv_test', 2);
      sessions.forEach((session) => bounded.release(session));
      expect(bounded.stats()[0]).toMatchObject({ open: 2, limit: 2 });
      bounded.setLimit('srv_test', 1);
      expect(bounded.stats()[0]).toMatchObject({ open: 1, limit: 1 });
      await bounded.close(500);
    });

    it('fewer statements stay prepared when the server has room for few', async () => {
      const [row] = await root.rows<{ n: number }>('SELECT @@GLOBAL.max_prepared_stmt_count AS n');
      expect(shareStatements(Number(row?.n), 480)).toBe(60);
      expect(shareStatements(16_382, 480)).toBe(27);
      expect(shareStatements(100, 480)).toBe(8);
    });

    it("the database server rejects access to another tenant's tables", async () => {
      await expect(query(0, `SELECT * FROM \`${account(1).schema}\`.t`)).rejects.toMatchObject({
        errno: 1142,
      });
    });

    it('two sessions serve many concurrent callers of several tenants', async () => {
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, call) =>
          query(call % 3, 'SELECT n FROM t WHERE s = ?', [`own${call % 3}`]),
        ),
      );
      answers.forEach((rows, call) => expect(rows).toEqual([[String(call % 3)]]));
    });

    it('a session stays usable after a result with columns named like object properties', async () => {
      const target = { server, account: account(0) };
      const connects = pools.stats()[0]?.connects;
      const columns = await runStatements(
        pools,
        target,
        { mode: 'read', waitMs: 2_000 },
        async (run) =>
          (
            await run(
              'SELECT 1 AS `__proto__`, 2 AS `constructor`, 3 AS `__defineGetter__`',
              [],
              collectRows({ bytesMax: 1e6 }),
            )
          ).rows,
      );
      expect(columns.columns.map((column) => column.name)).toEqual([
        '__proto__',
        'constructor',
        '__defineGetter__',
      ]);
      expect(columns.rows).toHaveLength(1);
      expect(pools.stats()[0]?.connects).toBe(connects);
    });

    it('the number of prepared statements is limited, and a rejected text is reported each time', async () => {
      const target = { server, account: account(0) };
      const counts = await runStatements(pools, target, { mode: 'read', waitMs: 2_000 }, async (run) => {
        const bounds = { bytesMax: 1e6 };
        for (let iteration = 0; iteration < 2; iteration += 1) {
          for (let text = 0; text < 90; text += 1) {
            const { rows } = (await run(`SELECT ${text}, ?`, ['x'], collectRows(bounds))).rows;
            // MySQL gives the literal the type BIGINT, whose values arrive as text.
            expect(rows.map(([number, letter]) => [Number(number), letter])).toEqual([[text, 'x']]);
          }
          await expect(run('SELECT nothing FROM t', [], collectRows(bounds))).rejects.toMatchObject({
            errno: 1054,
          });
        }
        const status = await run(
          "SHOW SESSION STATUS WHERE Variable_name IN ('Com_stmt_prepare', 'Com_stmt_close')",
          [],
          collectRows(bounds),
        );
        return new Map(status.rows.rows.map(([name, value]) => [name, Number(value)]));
      });
      expect((counts.get('Com_stmt_prepare') ?? 0) - (counts.get('Com_stmt_close') ?? 0)).toBeLessThanOrEqual(
        64,
      );
    });

    it('a session is not reused after a rejected change of user', async () => {
      await query(0, 'SELECT 1');
      await query(1, 'SELECT 1');
      const wrong = { ...account(2), password: () => 'no' };
      pools.forgetAccount(server.id, wrong.user);
      await expect(
        runStatements(pools, { server, account: wrong }, { mode: 'read', waitMs: 2_000 }, (run) =>
          run('SELECT 1', [], collectRows({ bytesMax: 10 })),
        ),
      ).rejects.toMatchObject({ code: 'db.account_refused' });
      // A login with the rejected account is not tried again immediately.
      await expect
        .poll(() => query(2, 'SELECT CURRENT_USER()').catch(() => null), { timeout: 5_000 })
        .toEqual([[`${account(2).user}@%`]]);
    });

    it('numbers beyond 2^53 are sent and returned with all digits', async () => {
      expect(await query(0, 'SELECT CAST(? AS SIGNED), 9007199254740993, 1.10', [9007199254740993n])).toEqual(
        [['9007199254740993', '9007199254740993', '1.10']],
      );
    });

    it('a statement is stopped at its limit and reported as a timeout', async () => {
      await expect(query(0, 'SELECT COUNT(*) FROM t a, (SELECT SLEEP(5)) b')).rejects.toMatchObject({
        code: 'limit.statement_time',
      });
      expect(await query(0, "SELECT 'still there'")).toEqual([['still there']]);
    });

    it('a read rejects at its time limit, and its session counts until the server is done', async () => {
      const proxy = await startTcpProxy(engine.host, engine.port);
      const tenantPools = createTenantPools({ ...DEFAULT_POOL_OPTIONS, statementMsMax: 5_000 });
      const target: PoolServer = { ...server, id: 'srv_far', port: proxy.port, connectionsMax: 1 };
      const left: Promise<void>[] = [];
      const sleep = (onRun: () => void): Promise<unknown> =>
        runStatements(
          tenantPools,
          { server: target, account: account(0) },
          {
            mode: 'read_only',
            waitMs: 2_000,
            statementMsMax: 100,
            onLeft: (disconnected) => left.push(disconnected),
          },
          async (run) => {
            await run('SELECT 1', [], collectRows({ bytesMax: 100 }));
            onRun();
            return run('SELECT SLEEP(4)', [], collectRows({ bytesMax: 100 }));
          },
        );
      // KILL QUERY ends the statement, and the server confirms it.
      await expect(sleep(() => undefined)).rejects.toMatchObject({ code: 'limit.statement_time' });
      await left[0];
      // From here on, the proxy stalls, so the server's responses do not arrive.
      await expect(sleep(() => proxy.stall())).rejects.toMatchObject({ code: 'limit.statement_time' });
      expect([left.length, tenantPools.stats()[0]?.open]).toEqual([2, 1]);
      await expect(tenantPools.acquire(target, account(1), 50)).rejects.toMatchObject({ code: 'limit.busy' });
      proxy.open();
      await left[1];
      tenantPools.release(await tenantPools.acquire(target, account(1), 2_000));
      await tenantPools.close(500);
      await proxy.stop();
    });

    it('a failed transaction is rolled back, and a successful one is committed', async () => {
      const target = { server, account: account(1) };
      const sink = (): ReturnType<typeof collectRows> => collectRows({ bytesMax: 1e6 });
      const failing = runStatements(pools, target, { mode: 'transaction', waitMs: 2_000 }, async (run) => {
        await run('INSERT INTO t (n, s) VALUES (?, ?)', [5, 'lost'], sink());
        await run('INSERT INTO t (n, s) VALUES (?, ?)', [6, 'own1'], sink());
      });
      await expect(failing).rejects.toBeInstanceOf(DatabaseFault);
      const counts = await runStatements(
        pools,
        target,
        { mode: 'transaction', waitMs: 2_000 },
        async (run) => (await run('INSERT INTO t (n, s) VALUES (?, ?)', [7, 'kept'], sink())).counts,
      );
      expect(counts.affectedRows).toBe(1);
      expect(await query(1, 'SELECT s FROM t ORDER BY id')).toEqual([['own1'], ['kept']]);
    });

    it('a deadlocked transaction runs once more', async () => {
      const target = { server, account: account(1) };
      let runs = 0;
      let holding = 0;
      let release: () => void = () => undefined;
      const both = new Promise<void>((resolve) => {
        release = resolve;
      });
      const callback = (first: string, second: string): Promise<void> =>
        runStatements(pools, target, { mode: 'transaction', waitMs: 5_000 }, async (run) => {
          runs += 1;
          await run('UPDATE t SET n = n + 1 WHERE s = ?', [first], collectRows({ bytesMax: 10 }));
          holding += 1;
          if (holding === 2) release();
          await both;
          await run('UPDATE t SET n = n + 1 WHERE s = ?', [second], collectRows({ bytesMax: 10 }));
        });
      await Promise.all([callback('own1', 'kept'), callback('kept', 'own1')]);
      expect(runs).toBe(3);
    });

    it('a write on a lost session is reported as unknown, and a read is repeated', async () => {
      const target = { server, account: account(2) };
      let attempts = 0;
      const dying = (mode: 'read' | 'write'): Promise<unknown> =>
        runStatements(pools, target, { mode, waitMs: 2_000 }, async (run) => {
          attempts += 1;
          if (attempts > 1) return 'second';
          const id = (await run('SELECT CONNECTION_ID()', [], collectRows({ bytesMax: 100 }))).rows
            .rows[0]?.[0];
          const pending = run('SELECT SLEEP(0.3)', [], collectRows({ bytesMax: 100 }));
          pending.catch(() => undefined);
          await root.run(`KILL ${String(id)}`);
          return pending;
        });
      await expect(dying('write')).rejects.toMatchObject({ code: 'db.outcome_unknown' });
      attempts = 0;
      await expect(dying('read')).resolves.toBe('second');
    });

    it('a result beyond the row limit is truncated, and its session is closed', async () => {
      const target = { server, account: account(0) };
      const series =
        'SELECT a.ordinal_position FROM information_schema.columns a, information_schema.columns b';
      const result = await runStatements(pools, target, { mode: 'read_only', waitMs: 2_000 }, (run) =>
        run(series, [], collectRows({ rowsMax: 3, bytesMax: 1e6 })),
      );
      expect(result.isCut).toBe(true);
      expect(result.rows.rows).toHaveLength(3);
      expect(await query(0, "SELECT 'another'")).toEqual([['another']]);
    });

    it('a caller gets limit.busy when no session becomes free', async () => {
      const held = await Promise.all([
        pools.acquire(server, account(0), 500),
        pools.acquire(server, account(0), 500),
      ]);
      await expect(pools.acquire(server, account(1), 100)).rejects.toMatchObject({
        code: 'limit.busy',
        retryAfterSeconds: 1,
      });
      held.forEach((session) => pools.release(session));
      expect(pools.stats()[0]?.waiting).toBe(0);
    });

    it('waiting tenants are served in rotation, and one tenant cannot fill the queue', async () => {
      const crowded = createTenantPools({ ...DEFAULT_POOL_OPTIONS, waitersMax: 12 });
      const held = await Promise.all([
        crowded.acquire(server, account(0), 5_000),
        crowded.acquire(server, account(0), 5_000),
      ]);
      const served: number[] = [];
      const call = async (index: number): Promise<string> => {
        try {
          const session = await crowded.acquire(server, account(index), 30_000);
          served.push(index);
          // Holds the session longer than an account change takes. The test is about the order of the
          // callers, not about the speed.
          setTimeout(() => crowded.release(session), 25);
          return 'served';
        } catch (error) {
          return (error as { code: string }).code;
        }
      };
      const verbose = Array.from({ length: 14 }, () => call(0));
      const others = [call(1), call(2), call(1)];
      expect(crowded.stats()[0]?.waiting).toBe(12);
      held.forEach((session) => crowded.release(session));
      expect(await Promise.all(others)).toEqual(['served', 'served', 'served']);
      const messages = await Promise.all(verbose);
      expect(messages.filter((how) => how === 'served')).toHaveLength(9);
      expect(messages.filter((how) => how === 'limit.busy')).toHaveLength(5);
      // The other tenant is served before the nine earlier callers.
      expect(served.slice(0, 8)).toContain(1);
      expect(served.slice(0, 8)).toContain(2);
      await crowded.close(500);
    });

    it('acquire() rejects at once while the connection breaker is open', async () => {
      const away: PoolServer = { ...server, id: 'srv_away', port: 1 };
      const attempts = Array.from({ length: 8 }, () =>
        pools.acquire(away, account(0), 1_000).then(
          () => 'open',
          (error: { code: string }) => error.code,
        ),
      );
      expect(new Set(await Promise.all(attempts))).toEqual(new Set(['db.unavailable']));
      expect(pools.stats().find((item) => item.serverId === 'srv_away')?.isBreakerOpen).toBe(true);
    });

    it('the pool tries one connection at a time to a silent server', async () => {
      let [open, maximum, all] = [0, 0, 0];
      const silent = createServer((socket) => {
        open += 1;
        all += 1;
        maximum = Math.max(maximum, open);
        socket.on('error', () => undefined).on('close', () => (open -= 1));
      });
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const endpoint: PoolServer = {
        ...server,
        id: 'srv_silent',
        port: (silent.address() as AddressInfo).port,
        connectionsMax: 50,
      };
      const patient = createTenantPools({
        ...DEFAULT_POOL_OPTIONS,
        connectTimeoutMs: 300,
        breakerCoolDownMs: 10,
        breakerProbeMsMax: 10_000,
      });
      const sendRequest = (): Promise<string> =>
        patient.acquire(endpoint, { ...account(0), connectionsMax: 50 }, 2_000).then(
          () => 'open',
          (error: { code: string }) => error.code,
        );
      await Promise.all(Array.from({ length: 10 }, sendRequest));
      await expect.poll(() => open).toBe(0);
      [maximum, all] = [0, 0];
      const answers: Promise<string>[] = [];
      for (
        const endMs = performance.now() + 1_500;
        performance.now() < endMs;
        await new Promise((resolve) => setTimeout(resolve, 5))
      )
        answers.push(sendRequest());
      expect(new Set(await Promise.all(answers))).toEqual(new Set(['db.unavailable']));
      expect({ most: maximum, isTriedAgain: all > 1 }).toEqual({ most: 1, isTriedAgain: true });
      await patient.close(500);
      await new Promise((resolve) => silent.close(resolve));
    });
  },
);
