import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type Reply } from '../test/http-call.js';
import { createTestCell, type TestCell, type TestGateway, type TestTenant } from '../test/test-cell.js';

const servers = getTestServers();

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))('a database that its owner dropped, on %s', (_name, engine) => {
  let cell: TestCell;
  let gateway: TestGateway;
  let tenant: TestTenant;
  let other: TestTenant;

  beforeAll(async () => {
    cell = await createTestCell(engine, servers.redisUrl);
    tenant = await cell.addTenant();
    other = await cell.addTenant();
    gateway = await cell.startGateway();
  });

  afterAll(() => cell.stop());

  const health = (key: string, on = gateway): Promise<Reply> => callGateway(on.url, 'GET', '/v1/-/health', { key });

  it('is told as missing: by /health, by calls on its tables, and to a gateway that has no session there', async () => {
    expect((await health(tenant.key)).json).toMatchObject({ status: 'ok' });
    expect((await callGateway(gateway.url, 'GET', '/v1/-/users', { key: tenant.key })).status).toBe(200);
    await cell.root.run(`DROP DATABASE ${tenant.schemaName}`);
    const missing = { code: 'db.missing', hint: expect.stringContaining('CREATE DATABASE') };
    expect(await health(tenant.key)).toMatchObject({ status: 503, json: missing });
    const fresh = await cell.startGateway();
    expect(await health(tenant.key, fresh)).toMatchObject({ status: 503, json: { code: 'db.missing' } });
    await fresh.stop();
    for (const [method, path, body] of [['GET', '/v1/-/users', undefined], ['POST', '/v1/-/tags', { name: 'x' }], ['POST', '/v1/-/query', { query: 'SELECT * FROM users' }]] as const) {
      expect(await callGateway(gateway.url, method, path, { key: tenant.key, body }), path).toMatchObject({ status: 503, json: { code: 'db.missing' } });
    }
    expect((await health(other.key)).json).toMatchObject({ status: 'ok' });
  });

  it('is well again when it is there again', async () => {
    await cell.root.run(`CREATE DATABASE ${tenant.schemaName}`);
    expect((await health(tenant.key)).json).toMatchObject({ status: 'ok' });
  });
});
