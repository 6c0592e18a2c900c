import { openAdminConnection, type AdminConnection } from '@rowhouse/mysql';
import { randomBase32 } from '@rowhouse/runtime';
import { listEnginesOnce, startTcpProxy } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOwner } from '../testing/create-owner.js';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

describe.each(listEnginesOnce())('a server with several addresses on $engine', (mysql) => {
  let harness: WorkerHarness;
  let database: TestDb;
  const real = { host: mysql.host, port: mysql.port };
  const setPlaces = (
    location: { readonly host: string; readonly port: number },
    nodes: readonly object[] | null,
  ): Promise<unknown> =>
    harness.platform.run('UPDATE server SET host = ?, port = ?, nodes = ? WHERE id = ?', [
      location.host,
      location.port,
      nodes === null ? null : JSON.stringify(nodes),
      harness.serverId,
    ]);

  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    // No server listens at the first address.
    await setPlaces({ host: '127.0.0.1', port: 1 }, [real]);
    await harness.startWorker();
    database = await harness.provision();
  }, 60_000);
  afterAll(() => harness.close());

  async function connectDirectly(): Promise<{
    readonly id: string;
    readonly user: string;
    readonly direct: AdminConnection;
  }> {
    const [user, password] = [`u${randomBase32(20)}`, randomBase32(20)];
    return {
      id: await createOwner(harness, database, user, password),
      user,
      direct: await openAdminConnection({ ...real, user, password, database: database.schemaName }),
    };
  }
  const isServed = (name: string): Promise<unknown> =>
    harness.poll(async () =>
      (await harness.readSnapshot(database.id)).snapshot.tables.some((table) => table.name === name)
        ? true
        : null,
    );

  it('a worker uses a responding address of a server for all work', { timeout: 60_000 }, async () => {
    expect((await harness.deploy(database, 'CREATE TABLE notes (id int PRIMARY KEY);')).row.state).toBe(
      'published',
    );
    const { id, user, direct } = await connectDirectly();
    await direct.run('CREATE TABLE elsewhere (id int PRIMARY KEY)');
    await isServed('elsewhere');
    await harness.platform.run('UPDATE connection_user SET revoked_at = UTC_TIMESTAMP(3) WHERE id = ?', [id]);
    expect(
      await harness.runTask('revoke_connection', {
        connection_id: id,
        database_id: database.id,
        user_name: user,
      }),
    ).toEqual({ sessions_killed: 1 });
    await expect(direct.rows('SELECT 1')).rejects.toThrow();
    await direct.close();
  });

  it('a stalled server address does not delay the others', { timeout: 60_000 }, async () => {
    const proxy = await startTcpProxy(real.host, real.port);
    await setPlaces(real, [{ host: '127.0.0.1', port: proxy.port }]);
    const { direct } = await connectDirectly();
    const isWatched = async (): Promise<void> => {
      const before = proxy.countSent();
      await expect.poll(() => proxy.countSent(), { timeout: 15_000 }).toBeGreaterThan(before + 2);
    };
    await isWatched();
    proxy.stall();
    await direct.run('CREATE TABLE meanwhile (id int PRIMARY KEY)');
    await isServed('meanwhile');
    proxy.open();
    await isWatched();
    await direct.close();
    await proxy.stop();
  });

  it(
    'a revocation is incomplete while one server address cannot be reached',
    { timeout: 90_000 },
    async () => {
      const proxy = await startTcpProxy(real.host, real.port);
      await setPlaces(real, [{ host: '127.0.0.1', port: proxy.port }]);
      const { id, user, direct } = await connectDirectly();
      proxy.cut();
      await harness.platform.run('UPDATE connection_user SET revoked_at = UTC_TIMESTAMP(3) WHERE id = ?', [
        id,
      ]);
      const task = await harness.insertTask('revoke_connection', {
        connection_id: id,
        database_id: database.id,
        user_name: user,
      });
      const readTask = async (): Promise<{ state: string; attempt: number } | undefined> =>
        (
          await harness.platform.rows<{ state: string; attempt: number }>(
            'SELECT state, attempt FROM task WHERE id = ?',
            [task],
          )
        )[0];
      // The server ends the sessions immediately on the node that responds.
      await expect
        .poll(
          () =>
            direct.rows('SELECT 1').then(
              () => 'in',
              () => 'out',
            ),
          { timeout: 15_000 },
        )
        .toBe('out');
      await harness.poll(async () => (((await readTask())?.attempt ?? 0) >= 2 ? true : null));
      expect(['queued', 'running']).toContain((await readTask())?.state);
      proxy.open();
      await harness.waitTask(task);
      await direct.close();
      await proxy.stop();
    },
  );

  it(
    'addresses of different clusters are rejected, and the server can be reset to one address',
    { timeout: 60_000 },
    async () => {
      await setPlaces(real, [real]);
      await expect(harness.runTask('probe_server', { server_id: harness.serverId })).rejects.toMatchObject({
        code: 'resource.conflict',
        detail: expect.stringContaining('is not a node of a Galera cluster') as unknown,
      });
      await setPlaces(real, null);
      expect(await harness.runTask('probe_server', { server_id: harness.serverId })).toMatchObject({
        engine: mysql.engine,
      });
      const rows = await harness.platform.rows(
        "SELECT CAST(JSON_EXTRACT(capabilities, '$.advice') AS CHAR) AS advice FROM server WHERE id = ?",
        [harness.serverId],
      );
      // Servers started by the launcher need no advice.
      expect(rows).toEqual([{ advice: '[]' }]);
    },
  );
});
