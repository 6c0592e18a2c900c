import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

describe('a rate with several gateways', () => {
  const servers = getTestServers();
  let cell: TestCell;
  let first: TestGateway;
  let second: TestGateway;
  /** A gateway whose Redis is unreachable. */
  let lonely: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    cell = await createTestCell(servers.mysql, servers.redisUrl);
    tenant = await cell.addTenant();
    [first, second, lonely] = [
      await cell.startGateway(),
      await cell.startGateway(),
      await cell.startGateway({ redisUrl: 'redis://127.0.0.1:1' }),
    ];
  });

  afterAll(() => cell.stop());

  const index = (on: TestGateway, key: string): Promise<TestResponse> =>
    callGateway(on.url, 'GET', '/v1/-/', { key });

  it('gateways share one rate after they have exchanged reports', async () => {
    const { secret } = await cell.addKey(tenant, { rate: { per_second: 0.001, burst: 10 } });
    expect((await index(second, secret)).headers.get('ratelimit-remaining')).toBe('9');
    for (let iteration = 0; iteration < 9; iteration += 1)
      expect((await index(first, secret)).status).toBe(200);
    await expect.poll(() => second.metric('gateway_rate_granted_elsewhere_total')).toBe(9);
    expect((await index(second, secret)).json).toMatchObject({ code: 'limit.rate' });
    expect((await index(lonely, secret)).headers.get('ratelimit-remaining')).toBe('9');
  });
});
