import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'a database dropped by its owner on %s',
  (_name, engine) => {
    const stage = stageCell(engine);

    const health = (key: string, on = stage.gateway): Promise<TestResponse> =>
      callGateway(on.url, 'GET', '/v1/-/health', { key });

    it('/health and table requests report a dropped database as missing', async () => {
      expect((await health(stage.tenant.key)).json).toMatchObject({ status: 'ok' });
      expect((await stage.call('GET', '/users')).status).toBe(200);
      await stage.cell.root.run(`DROP DATABASE ${stage.tenant.schemaName}`);
      const missing = { code: 'db.missing', hint: expect.stringContaining('CREATE DATABASE') };
      expect(await health(stage.tenant.key)).toMatchObject({ status: 503, json: missing });
      const fresh = await stage.cell.startGateway();
      expect(await health(stage.tenant.key, fresh)).toMatchObject({
        status: 503,
        json: { code: 'db.missing' },
      });
      await fresh.stop();
      for (const [method, path, body] of [
        ['GET', '/users', undefined],
        ['POST', '/tags', { name: 'x' }],
        ['POST', '/query', { query: 'SELECT * FROM users' }],
      ] as const) {
        expect(await stage.call(method, path, body), path).toMatchObject({
          status: 503,
          json: { code: 'db.missing' },
        });
      }
      expect((await health(stage.other.key)).json).toMatchObject({ status: 'ok' });
    });

    it('a dropped database is served again after it was created again', async () => {
      await stage.cell.root.run(`CREATE DATABASE ${stage.tenant.schemaName}`);
      expect((await health(stage.tenant.key)).json).toMatchObject({ status: 'ok' });
    });
  },
);
