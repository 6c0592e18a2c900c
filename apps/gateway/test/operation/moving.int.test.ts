import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'moving a database on %s',
  (_name, engine) => {
    const stage = stageCell(engine);

    const { call } = stage;

    async function relocate(assignments: string): Promise<void> {
      await stage.cell.pool.run(
        `UPDATE tenant_database SET ${assignments}, version = version + 1 WHERE id = ?`,
        [stage.tenant.databaseId],
      );
      await stage.cell.change(stage.tenant.databaseId, 'move');
    }
    const hold = (seconds: number): Promise<void> =>
      relocate(`location_state = 'moving', moving_until = UTC_TIMESTAMP(3) + INTERVAL ${seconds} SECOND`);
    const free = (): Promise<void> => relocate(`location_state = 'live', moving_until = NULL`);

    /** Sends one write to each endpoint that accepts writes. */
    const writes = (mark: string): Promise<TestResponse>[] => [
      call('POST', '/tags', { name: `${mark} plain` }),
      call('POST', '/tags', { name: `${mark} once` }, { 'idempotency-key': `${mark}-once` }),
      call('POST', '/_batch', {
        operations: [{ method: 'POST', path: '/tags', body: { name: `${mark} batch` } }],
      }),
      call('POST', '/tags', [{ name: `${mark} many 1` }, { name: `${mark} many 2` }]),
    ];

    it('writes wait while their database is moved, and reads continue', async () => {
      await hold(60);
      await expect.poll(async () => (await call('GET', '/tags?limit=1')).status).toBe(200);
      const held = writes('held');
      let answered = 0;
      for (const response of held) void response.then(() => (answered += 1));
      for (let index = 0; index < 5; index += 1)
        expect((await call('GET', '/tags?limit=1')).status).toBe(200);
      expect((await call('POST', '/query', { query: 'SELECT COUNT(*) AS n FROM tags' })).status).toBe(200);
      expect((await call('POST', '/tags', { name: 'of another' }, {}, stage.other.key)).status).toBe(201);
      expect(answered).toBe(0);
      expect((await call('GET', '/tags?name__like=held%25')).json).toEqual([]);
      await free();
      for (const response of await Promise.all(held))
        expect([200, 201], response.text).toContain(response.status);
      expect(((await call('GET', '/tags?name__like=held%25')).json as unknown[]).length).toBe(5);
    });

    it('a write that waited for a move of its database is executed on the new server', async () => {
      await hold(60);
      const held = writes('new');
      // The database moves to another server id at the same address. Its connections are opened again, under
      // the same account.
      const copied =
        'cell_id, host, port, public_host, public_port, tls, engine, engine_version, capabilities, state, databases_max, connections_max, provisioner_sealed, observer_sealed, created_at';
      await stage.cell.pool.run(
        `INSERT INTO server (id, name, ${copied}) SELECT 'srv_elsewhere', 'elsewhere', ${copied} FROM server LIMIT 1`,
      );
      await relocate(
        `server_id = 'srv_elsewhere', generation = generation + 1, location_state = 'live', moving_until = NULL`,
      );
      for (const response of await Promise.all(held))
        expect([200, 201], response.text).toContain(response.status);
      expect(((await call('GET', '/tags?name__like=new%25')).json as unknown[]).length).toBe(5);
    });

    it('a pause of writes that no worker ends stops at its deadline', async () => {
      await hold(1);
      for (const response of await Promise.all(writes('late')))
        expect([200, 201], response.text).toContain(response.status);
      expect(((await call('GET', '/tags?name__like=late%25')).json as unknown[]).length).toBe(5);
      await free();
    });
  },
);
