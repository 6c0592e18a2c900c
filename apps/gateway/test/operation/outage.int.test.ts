import { setTimeout as pause } from 'node:timers/promises';
import { getTestServers, startTcpProxy, type TcpProxy } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, callUntil, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

describe('a gateway with failing servers', () => {
  const servers = getTestServers();
  const redisAddress = new URL(servers.redisUrl);
  let cell: TestCell;
  let gateway: TestGateway;
  let tenant: TestTenant;
  let platform: TcpProxy;
  let redis: TcpProxy;
  let tenantServer: TcpProxy;

  beforeAll(async () => {
    cell = await createTestCell(servers.mysql, servers.redisUrl);
    tenant = await cell.addTenant();
    platform = await startTcpProxy(servers.mysql.host, servers.mysql.port);
    redis = await startTcpProxy(redisAddress.hostname, Number(redisAddress.port));
    tenantServer = await startTcpProxy(servers.mysql.host, servers.mysql.port);
    await cell.moveServer(tenantServer.port);
    redisAddress.port = String(redis.port);
    gateway = await cell.startGateway({ redisUrl: redisAddress.href, platformPort: platform.port });
  });

  afterAll(async () => {
    for (const proxy of [platform, redis, tenantServer]) proxy.open();
    await cell.stop();
    await Promise.all([platform.stop(), redis.stop(), tenantServer.stop()]);
  });

  const read = (key = tenant.key): Promise<TestResponse> =>
    callGateway(gateway.url, 'GET', '/v1/-/users', { key });
  /** Waits until the gateway serves reads again. */
  async function expectServed(timeoutMs: number): Promise<void> {
    const response = await callUntil(
      () => read(),
      ({ status }) => status === 200,
      timeoutMs,
    );
    expect(response.status).toBe(200);
  }
  const write = (name: string): Promise<TestResponse> =>
    callGateway(gateway.url, 'POST', '/v1/-/users', {
      key: tenant.key,
      body: { username: name, email: `${name}@example.org` },
    });

  it('a cached gateway request sends nothing to Redis or the platform database', async () => {
    // The first call causes writes that happen after its response, so the test waits for them.
    await expect
      .poll(async () => {
        await read();
        const before = redis.countSent();
        await pause(100);
        return redis.countSent() - before;
      })
      .toBe(0);
    const [redisBefore, platformBefore] = [redis.countSent(), platform.countSent()];
    for (let iteration = 0; iteration < 300; iteration += 1) expect((await read()).status).toBe(200);
    expect(redis.countSent()).toBe(redisBefore);
    // The lease, the change log and the request log need some statements. One statement for each call would
    // be many more.
    expect(platform.countSent() - platformBefore).toBeLessThan(100);
  });

  it('a write takes one round trip, and a create two without RETURNING', async () => {
    const trips: number[][] = [];
    for (let iteration = 0; iteration < 6; iteration += 1) {
      const marks = [tenantServer.countSent()];
      const { id } = (await write(`trip${iteration}`)).json as { id: number };
      marks.push(tenantServer.countSent());
      const many = [1, 2, 3].map((index) => ({
        username: `trip${iteration}-${index}`,
        email: `trip${iteration}-${index}@example.org`,
      }));
      for (const [method, path, body] of [
        ['PATCH', `/${id}`, { bio: 'x' }],
        ['DELETE', `/${id}`, undefined],
        ['POST', '', many],
      ] as const) {
        expect(
          (
            await callGateway(gateway.url, method, `/v1/-/users${path}`, {
              key: tenant.key,
              ...(body === undefined ? {} : { body }),
            })
          ).status,
        ).toBeLessThan(300);
        marks.push(tenantServer.countSent());
      }
      trips.push(marks.slice(1).map((mark, index) => mark - (marks[index] ?? 0)));
    }
    // The minimum counts, because some calls also prepare their statements.
    const minimum = [0, 1, 2, 3].map((index) => Math.min(...trips.map((counts) => counts[index] ?? 0)));
    // On MySQL, each of several records is inserted and read back in its own round trip.
    expect(minimum).toEqual(servers.mysql.engine === 'mariadb' ? [1, 1, 1, 1] : [2, 1, 1, 4]);
  });

  it('known keys are served without Redis and the platform database', async () => {
    const other = await cell.addKey(tenant);
    expect((await read()).status).toBe(200);
    redis.cut();
    platform.cut();
    for (let iteration = 0; iteration < 20; iteration += 1) expect((await read()).status).toBe(200);
    expect((await write('offline')).status).toBe(201);
    expect((await read(other.secret)).json).toMatchObject({ code: 'platform.unavailable' });
    redis.open();
    platform.open();
    expect(
      (
        await callUntil(
          () => read(other.secret),
          (response) => response.status === 200,
          5_000,
        )
      ).status,
    ).toBe(200);
  });

  it('a key revoked during an outage is rejected afterwards', async () => {
    const { id, secret } = await cell.addKey(tenant);
    expect(
      (
        await callUntil(
          () => read(secret),
          (response) => response.status === 200,
          3_000,
        )
      ).status,
    ).toBe(200);
    redis.cut();
    platform.cut();
    await cell.revoke(id);
    expect((await read(secret)).status).toBe(200);
    redis.open();
    platform.open();
    expect(
      (
        await callUntil(
          () => read(secret),
          (response) => response.status === 401,
          5_000,
        )
      ).status,
    ).toBe(401);
  });

  it('a request does not wait for a platform database that has stopped responding', async () => {
    await expectServed(3_000);
    platform.stall();
    redis.stall();
    const responses = await Promise.all(Array.from({ length: 20 }, () => read()));
    expect(responses.map((response) => response.status)).toEqual(responses.map(() => 200));
    platform.open();
    redis.open();
  });

  it("requests get 503 immediately while the tenant's server is unavailable", async () => {
    await expectServed(5_000);
    tenantServer.cut();
    const testResponse = await read();
    expect([testResponse.status, testResponse.json.code]).toEqual([503, 'db.unavailable']);
    expect(testResponse.headers.get('retry-after')).toBe('1');
    const responses = await Promise.all(Array.from({ length: 30 }, () => read()));
    expect(new Set(responses.map((response) => response.json.code))).toEqual(new Set(['db.unavailable']));
    tenantServer.open();
    await expectServed(5_000);
  });

  it('a write whose server is lost while it runs reports an unknown outcome', async () => {
    await expectServed(5_000);
    await cell.root.run(`LOCK TABLES ${tenant.schemaName}.users WRITE`);
    const pending = write('lost');
    await pause(300);
    tenantServer.cut();
    const testResponse = await pending;
    await cell.root.run('UNLOCK TABLES');
    tenantServer.open();
    // The create was not committed together with its INSERT, so it is certain to be rolled back.
    expect([testResponse.status, testResponse.json.code]).toEqual([
      503,
      servers.mysql.engine === 'mariadb' ? 'db.outcome_unknown' : 'db.unavailable',
    ]);
  });

  it('a stopping gateway waits until running requests have ended', async () => {
    await expectServed(5_000);
    await cell.root.run(`LOCK TABLES ${tenant.schemaName}.users WRITE`);
    const pending = write('draining');
    await pause(200);
    const stopping = gateway.stop();
    await cell.root.run('UNLOCK TABLES');
    expect((await pending).status).toBe(201);
    await stopping;
    expect(await cell.pool.rows('SELECT gateway_id FROM gateway_lease')).toEqual([]);
  });
});
