import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { getTestServers, openConnectionFrom, requestOn } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const AT_ONCE = 40;

/** Returns the HTTP server of a gateway, which Node only exposes during a request. */
async function findServer(on: TestGateway): Promise<Server> {
  const started = channel('http.server.request.start');
  const servers: Server[] = [];
  const hear = (message: unknown): void => void servers.push((message as { readonly server: Server }).server);
  started.subscribe(hear);
  await callGateway(on.url, 'GET', '/v1/-/');
  started.unsubscribe(hear);
  return servers[0] as Server;
}

describe('the rate of client addresses', () => {
  const servers = getTestServers();
  /** Two gateways that exchange their request counts, and one whose Redis is unreachable. */
  let [first, second, lonely] = [] as unknown as readonly [TestGateway, TestGateway, TestGateway];
  let [tenant, other] = [] as unknown as readonly [TestTenant, TestTenant];
  let cell: TestCell;

  beforeAll(async () => {
    cell = await createTestCell(servers.mysql, servers.redisUrl);
    [tenant, other] = [await cell.addTenant(), await cell.addTenant()];
    const options = { addressRate: 1, trustedProxies: ['127.0.0.1'] };
    [first, second, lonely] = [
      await cell.startGateway(options),
      await cell.startGateway(options),
      await cell.startGateway({ ...options, redisUrl: 'redis://127.0.0.1:1' }),
    ];
  });

  afterAll(() => cell.stop());

  const call = (
    on: TestGateway,
    address: string | null,
    key = tenant.key,
    body?: unknown,
  ): Promise<TestResponse> =>
    callGateway(on.url, body === undefined ? 'GET' : 'POST', body === undefined ? '/v1/-/' : '/v1/-/tags', {
      key,
      headers: address === null ? {} : { 'x-forwarded-for': address },
      ...(body === undefined ? {} : { body }),
    });
  const many = (
    on: TestGateway,
    addressOf: (index: number) => string | null,
    key?: string,
  ): Promise<TestResponse[]> =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, index) => call(on, addressOf(index), key)));
  const rejections = (responses: readonly TestResponse[]): TestResponse[] =>
    responses.filter((response) => response.status === 429);

  it('requests beyond the rate of a client address are rejected for any key, with a retry time', async () => {
    const rejected = rejections(await many(first, () => '203.0.113.1'));
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected.length).toBeLessThanOrEqual(AT_ONCE - 4);
    expect(rejected[0]?.json).toMatchObject({
      code: 'limit.address',
      hint: 'An IP address can send 1 requests per second.',
    });
    expect(
      ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'x-request-id'].map((name) =>
        rejected[0]?.headers.get(name),
      ),
    ).toEqual(['1', '4', '0', expect.any(String)]);
    expect(rejections(await many(first, () => '203.0.113.1', other.key)).length).toBeGreaterThan(0);
    expect(await first.metric('gateway_address_limited_total')).toBeGreaterThanOrEqual(rejected.length);
  });

  it('an IPv6 network counts as one address, and the body of a rejected request is not read', async () => {
    expect(rejections(await many(first, (index) => `2001:db8:5:5::${index + 1}`)).length).toBeGreaterThan(0);
    expect(rejections(await many(first, (index) => `2001:db8:6:${index + 1}::1`))).toEqual([]);
    const posted = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        call(first, '203.0.113.2', tenant.key, { name: `tag ${index}` }),
      ),
    );
    const createdCount = posted.filter((response) => response.status === 201).length;
    expect([createdCount + rejections(posted).length, createdCount < AT_ONCE]).toEqual([AT_ONCE, true]);
    expect((await call(first, '203.0.113.3')).status).toBe(200);
  });

  it("the address rate excludes proxies and loopback and ignores other clients' forwarding headers", async () => {
    expect(rejections(await many(first, () => null))).toEqual([]);
    const behindNobody = await cell.startGateway({ addressRate: 1 });
    expect(rejections(await many(behindNobody, () => '203.0.113.1'))).toEqual([]);
  });

  it('gateways that exchange reports share the address rate', async () => {
    await many(first, () => '203.0.113.4');
    await call(second, '203.0.113.4');
    await expect
      .poll(
        async () => {
          await many(first, () => '203.0.113.4');
          return (await call(second, '203.0.113.4')).json.code;
        },
        { timeout: 10_000, interval: 200 },
      )
      .toBe('limit.address');
    expect((await call(lonely, '203.0.113.4')).status).toBe(200);
    expect(rejections(await many(lonely, () => '203.0.113.4')).length).toBeGreaterThan(0);
  });

  it('connections beyond the limit for an address get 429 and are closed', async () => {
    const gateway = await cell.startGateway({ addressConnections: 2 });
    const server = await findServer(gateway);
    const [item, , three] = [
      openConnectionFrom(server, '203.0.113.50'),
      openConnectionFrom(server, '203.0.113.50'),
      openConnectionFrom(server, '203.0.113.50'),
    ] as const;
    const ended = once(three, 'end');
    expect(await requestOn(three, '/v1/-/')).toMatch(
      /^HTTP\/1\.1 429 .*connection: close\r\n.*limit\.address/is,
    );
    await ended;
    expect(await requestOn(item, '/v1/-/')).toMatch(/^HTTP\/1\.1 401 /);
    expect(await requestOn(openConnectionFrom(server, '203.0.113.51'), '/v1/-/')).toMatch(/^HTTP\/1\.1 401 /);
    expect(await gateway.metric('gateway_address_connections_refused_total')).toBe(1);
  });
});
