import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { changeChannel } from '@rowhouse/contracts';
import { createMessageSigner, generateApiKey } from '@rowhouse/credentials';
import { connectRedis } from '@rowhouse/queue';
import { getTestServers, startTcpProxy } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, callUntil, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

describe('the validity of cached records', () => {
  const servers = getTestServers();
  let cell: TestCell;
  let gateway: TestGateway;
  /** A gateway whose Redis is unreachable. */
  let lonely: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    cell = await createTestCell(servers.mysql, servers.redisUrl);
    tenant = await cell.addTenant();
    gateway = await cell.startGateway();
    lonely = await cell.startGateway({ redisUrl: 'redis://127.0.0.1:1' });
  });

  afterAll(() => cell.stop());

  const index = (on: TestGateway, key: string): Promise<TestResponse> =>
    callGateway(on.url, 'GET', '/v1/-/', { key });
  const isRejected = (response: TestResponse): boolean => response.status === 401;

  it('a revoked key is rejected by a gateway that gets no messages', async () => {
    const { id, secret } = await cell.addKey(tenant);
    expect((await index(gateway, secret)).status).toBe(200);
    expect((await index(lonely, secret)).status).toBe(200);
    await cell.revoke(id);
    expect((await callUntil(() => index(gateway, secret), isRejected, 15_000)).json).toMatchObject({
      code: 'auth.invalid_key',
    });
    expect((await callUntil(() => index(lonely, secret), isRejected, 15_000)).status).toBe(401);
  });

  it('a large body whose key was revoked while it waited is rejected', async () => {
    const { id, secret } = await cell.addKey(tenant);
    expect((await index(gateway, secret)).status).toBe(200);
    const create = (key: string, name: string): Promise<TestResponse> =>
      callGateway(gateway.url, 'POST', '/v1/-/tags', {
        key,
        body: Array.from({ length: 300 }, (_, index) => ({
          name: `${name}-${index}`,
          description: 'd'.repeat(100),
        })),
      });
    await cell.root.run(`LOCK TABLES ${tenant.schemaName}.tags WRITE`);
    // This is the number of bodies that are processed at once. They wait for the locked table, and later ones
    // wait for a slot.
    const held = Array.from({ length: 5 }, (_, index) => create(tenant.key, `held${index}`));
    await pause(300);
    const late = create(secret, 'late');
    await pause(100);
    await cell.revoke(id);
    expect((await callUntil(() => index(gateway, secret), isRejected, 3_000)).status).toBe(401);
    await cell.root.run('UNLOCK TABLES');
    expect((await late).json).toMatchObject({ code: 'auth.invalid_key' });
    expect((await Promise.all(held)).map((response) => response.status)).toEqual([201, 201, 201, 201, 201]);
    expect(
      (await callGateway(gateway.url, 'GET', '/v1/-/tags?name__startswith=late', { key: tenant.key })).json,
    ).toEqual([]);
  });

  it('a key is rejected even if the message about its revocation was lost', async () => {
    const { id, secret } = await cell.addKey(tenant);
    expect((await index(gateway, secret)).status).toBe(200);
    await cell.revoke(id, { announce: false });
    expect((await callUntil(() => index(gateway, secret), isRejected, 15_000)).status).toBe(401);
  });

  it('a forged Redis message cannot hide a change with the same number', async () => {
    const { id, secret } = await cell.addKey(tenant);
    expect((await index(gateway, secret)).status).toBe(200);
    const redis = connectRedis(servers.redisUrl, 'stranger');
    await once(redis, 'ready');
    const [head] = await cell.pool.rows<{ last_seq: number }>(
      'SELECT last_seq FROM change_log_head WHERE cell_id = ?',
      [cell.cellId],
    );
    // A forged message with the next number of the change log, which the revocation will use. A gateway that
    // trusted it would never read the real entry.
    const forged = JSON.stringify({
      seq: Number(head?.last_seq) + 1,
      database_id: 'db_other',
      kind: 'key',
      version: 0,
    });
    const outsider = createMessageSigner([randomBytes(32)]);
    const channel = changeChannel(cell.cellId);
    for (const message of [forged, outsider.sign(channel, forged), 'junk'])
      await redis.publish(channel, message);
    redis.disconnect();
    await expect.poll(() => gateway.metric('change_messages_ignored_total')).toBe(3);
    await cell.revoke(id, { announce: false });
    expect((await callUntil(() => index(gateway, secret), isRejected, 15_000)).status).toBe(401);
  });

  it('a record in the shared cache that is older than the last change is ignored', async () => {
    const { id, secret } = await cell.addKey(tenant);
    expect((await index(gateway, secret)).status).toBe(200);
    // This gateway has stored a record of the key in Redis, which still says that the key is valid.
    await cell.revoke(id, { announce: false });
    const late = await cell.startGateway();
    expect((await index(late, secret)).status).toBe(401);
    await late.stop();
    expect((await callUntil(() => index(gateway, secret), isRejected, 10_000)).status).toBe(401);
  });

  it('an API key is rejected from its expiry on', async () => {
    const past = await cell.addKey(tenant, { expiresAt: '2020-01-01 00:00:00' });
    expect((await index(gateway, past.secret)).json).toMatchObject({ code: 'auth.expired_key' });
  });

  it('an address with many unknown keys is rejected, and known keys are served', async () => {
    expect((await index(gateway, tenant.key)).status).toBe(200);
    const statuses: number[] = [];
    for (let iteration = 0; iteration < 60; iteration += 1)
      statuses.push((await index(gateway, generateApiKey('development', 7))).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
    expect((await index(gateway, tenant.key)).status).toBe(200);
    // A valid key that is not in memory must wait for the next second, because the gateway has not verified
    // it yet.
    const { secret } = await cell.addKey(tenant);
    expect(
      (
        await callUntil(
          () => index(gateway, secret),
          (response) => response.status === 200,
          15_000,
        )
      ).status,
    ).toBe(200);
  });

  it('unknown keys are counted by client behind a trusted proxy', async () => {
    const proxied = await cell.startGateway({ trustedProxies: ['127.0.0.0/8'] });
    const guess = (on: TestGateway, iteration: number): Promise<TestResponse> =>
      callGateway(on.url, 'GET', '/v1/-/', {
        key: generateApiKey('development', 7),
        headers: { 'x-forwarded-for': `6.6.6.6, 198.51.100.${iteration}` },
      });
    const statusesOn = async (on: TestGateway): Promise<number[]> =>
      (await Promise.all(Array.from({ length: 60 }, (_, iteration) => guess(on, iteration)))).map(
        (response) => response.status,
      );
    expect(await statusesOn(proxied)).not.toContain(429);
    // On a busy machine sixty guesses may take longer than one second.
    await expect.poll(() => statusesOn(lonely), { timeout: 20_000 }).toContain(429);
    await proxied.stop();
  });

  it('a key above its rate gets 429 with RateLimit headers', async () => {
    const { secret } = await cell.addKey(tenant, { rate: { per_second: 1, burst: 3 } });
    const responses: TestResponse[] = [];
    for (let iteration = 0; iteration < 5; iteration += 1) responses.push(await index(gateway, secret));
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 429, 429]);
    expect(responses[0]?.headers.get('ratelimit-remaining')).toBe('2');
    expect(responses[4]?.headers.get('retry-after')).toBe('1');
    expect(responses[4]?.json).toMatchObject({ code: 'limit.rate' });
  });

  it('an origin that the key does not allow is rejected', async () => {
    const { secret } = await cell.addKey(tenant, { origins: ['https://app.example'] });
    const from = (origin: string): Promise<TestResponse> =>
      callGateway(gateway.url, 'GET', '/v1/-/', { key: secret, headers: { origin } });
    expect((await from('https://app.example')).status).toBe(200);
    expect((await from('https://evil.example')).json).toMatchObject({ code: 'auth.origin_refused' });
  });

  it('every gateway writes the applied change-log number into its lease row', async () => {
    const entry = await cell.change(tenant.databaseId, 'settings');
    let rows: readonly { applied_through_seq: number; exceptions: readonly string[] }[] = [];
    for (let iteration = 0; iteration < 100; iteration += 1) {
      rows = await cell.pool.rows(
        'SELECT applied_through_seq, exceptions FROM gateway_lease WHERE expires_at > UTC_TIMESTAMP(3)',
      );
      if (rows.length === 2 && rows.every((row) => Number(row.applied_through_seq) >= entry.seq)) break;
      await pause(50);
    }
    expect(rows.map((row) => [Number(row.applied_through_seq) >= entry.seq, String(row.exceptions)])).toEqual(
      [
        [true, ''],
        [true, ''],
      ],
    );
  });

  it('a gateway uses a new schema from the first request after the message about it', async () => {
    const version = (): Promise<TestResponse> =>
      callGateway(gateway.url, 'GET', '/v1/-/schema', { key: tenant.key });
    const before = (await version()).json.version as number;
    const number = await cell.deploy(tenant, ['ALTER TABLE tags ADD COLUMN colour varchar(20) NULL']);
    expect(number).toBe(before + 1);
    const after = await callUntil(version, (response) => response.json.version === number, 15_000);
    expect(after.json.sql).toContain('colour');
    expect(
      (
        await callUntil(
          () => callGateway(lonely.url, 'GET', '/v1/-/schema', { key: tenant.key }),
          (response) => response.json.version === number,
          15_000,
        )
      ).json.version,
    ).toBe(number);
  });

  it('a cached request sends nothing to Redis or the platform database', async () => {
    const platform = await startTcpProxy(servers.mysql.host, servers.mysql.port);
    const redisAddress = new URL(servers.redisUrl);
    const redis = await startTcpProxy(redisAddress.hostname, Number(redisAddress.port));
    redisAddress.host = `127.0.0.1:${redis.port}`;
    const watched = await cell.startGateway({ redisUrl: redisAddress.href, platformPort: platform.port });
    await index(watched, tenant.key);
    const countSent = (): number => platform.countSent() + redis.countSent();
    const [before, iterations] = [countSent(), 500];
    for (let iteration = 0; iteration < iterations; iteration += 1)
      expect((await index(watched, tenant.key)).status).toBe(200);
    expect(countSent() - before).toBeLessThan(iterations / 5);
    await watched.stop();
    await Promise.all([platform.stop(), redis.stop()]);
  });
});
