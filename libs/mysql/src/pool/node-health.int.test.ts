import {
  getTestServers,
  makeUniqueName,
  startTcpProxy,
  type TcpProxy,
  type TestMysql,
} from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminConnection, type AdminConnection } from '../admin/admin-connection.js';
import { createTenantPools, type TenantPools } from './tenant-pools.js';
import { DEFAULT_POOL_OPTIONS } from './pool-options.js';
import type { PoolAccount, PoolServer } from '../types.js';
import { collectRows } from '../row-sinks.js';
import { runStatements } from '../execute/run-statements.js';

/**
 * One server behind two proxies simulates two nodes of a cluster. The traffic of each proxy shows which node
 * is used.
 */
describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'a server with two addresses on %s',
  (_name, engine: TestMysql) => {
    const schema = makeUniqueName('n', 16);
    const account: PoolAccount = { user: schema, password: () => 'secret', schema, connectionsMax: 4 };
    let root: AdminConnection;
    let wires: readonly [TcpProxy, TcpProxy];
    let server: PoolServer;
    let pools: TenantPools;

    beforeAll(async () => {
      root = await openAdminConnection(engine);
      await root.run(`CREATE DATABASE ${schema}`);
      await root.run(`CREATE TABLE ${schema}.own (id int AUTO_INCREMENT PRIMARY KEY)`);
      await root.run(`CREATE USER ${schema}@'%' IDENTIFIED BY 'secret'`);
      await root.run(`GRANT SELECT, INSERT ON ${schema}.* TO ${schema}@'%'`);
      wires = [await startTcpProxy(engine.host, engine.port), await startTcpProxy(engine.host, engine.port)];
      server = {
        id: 'srv_nodes',
        host: '127.0.0.1',
        port: wires[0].port,
        nodes: [{ host: '127.0.0.1', port: wires[1].port }],
        tls: 'off',
        engine: engine.engine,
        connectionsMax: 8,
      };
      pools = createTenantPools({ ...DEFAULT_POOL_OPTIONS, idleSweepMs: 50 });
    });
    afterAll(async () => {
      await pools.close(500);
      await Promise.all(wires.map((wire) => wire.stop()));
      await root.run(`DROP USER IF EXISTS ${schema}@'%'`);
      await root.run(`DROP DATABASE IF EXISTS ${schema}`);
      await root.close();
    });

    const write = (): Promise<unknown> =>
      runStatements(pools, { server, account }, { mode: 'transaction', waitMs: 5_000 }, (run) =>
        run('INSERT INTO own VALUES ()', [], collectRows({ bytesMax: 100 })),
      );
    /** Returns which proxies a write used. */
    async function codePathsOf(callback: () => Promise<unknown>): Promise<boolean[]> {
      const before = wires.map((wire) => wire.countSent());
      await callback();
      return wires.map((wire, index) => wire.countSent() > (before[index] ?? 0));
    }

    it('sessions use the second node only while the first is unavailable', { timeout: 30_000 }, async () => {
      expect(await codePathsOf(write)).toEqual([true, false]);
      wires[0].cut();
      expect((await codePathsOf(write))[1]).toBe(true);
      expect((await codePathsOf(write))[1]).toBe(true);
      wires[0].open();
      // The pool detects in the background that the node is back, and then closes idle sessions on the other
      // node.
      await expect
        .poll(async () => (await codePathsOf(write))[1], { timeout: 10_000, interval: 100 })
        .toBe(false);
    });

    it(
      "a node that doesn't respond gets no sessions, even if its connections stay open",
      { timeout: 40_000 },
      async () => {
        expect(await codePathsOf(write)).toEqual([true, false]);
        wires[0].stall();
        // A read may be repeated, so it moves to the other node before its time limit has passed.
        const read = (): Promise<unknown> =>
          runStatements(pools, { server, account }, { mode: 'read', waitMs: 5_000 }, (run) =>
            run('SELECT COUNT(*) FROM own', [], collectRows({ bytesMax: 100 })),
          );
        expect((await codePathsOf(read))[1]).toBe(true);
        expect((await codePathsOf(write))[1]).toBe(true);
        wires[0].open();
        await expect
          .poll(async () => (await codePathsOf(write))[1], { timeout: 10_000, interval: 100 })
          .toBe(false);
      },
    );

    it('a server is unavailable only while none of its nodes responds', { timeout: 30_000 }, async () => {
      for (const wire of wires) wire.cut();
      await expect(write()).rejects.toMatchObject({ code: 'db.unavailable' });
      wires[1].open();
      await expect
        .poll(
          () =>
            write().then(
              () => 'written',
              () => 'refused',
            ),
          { timeout: 10_000 },
        )
        .toBe('written');
      wires[0].open();
    });

    it.runIf(engine.engine === 'mariadb')(
      'a server configured as a cluster is unavailable when its node belongs to no cluster',
      async () => {
        const lonely = createTenantPools(DEFAULT_POOL_OPTIONS);
        const target = { server: { ...server, id: 'srv_lonely', isGalera: true }, account };
        await expect(
          runStatements(lonely, target, { mode: 'read', waitMs: 5_000 }, (run) =>
            run('SELECT 1', [], collectRows({ bytesMax: 100 })),
          ),
        ).rejects.toMatchObject({ code: 'db.unavailable', retryAfterSeconds: 1 });
        await lonely.close(500);
      },
    );

    it('an account that one node rejects is not tried at the next node', { timeout: 30_000 }, async () => {
      await expect.poll(() => codePathsOf(write), { timeout: 10_000, interval: 100 }).toEqual([true, false]);
      const outsider: PoolAccount = { ...account, user: 'nobody', password: () => 'wrong' };
      const [, second] = await codePathsOf(() =>
        expect(
          runStatements(pools, { server, account: outsider }, { mode: 'read', waitMs: 2_000 }, (run) =>
            run('SELECT 1', [], collectRows({ bytesMax: 100 })),
          ),
        ).rejects.toMatchObject({ code: 'db.account_refused' }),
      );
      expect(second).toBe(false);
    });
  },
);
