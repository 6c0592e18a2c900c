import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE teams (id int PRIMARY KEY, name varchar(20), score int)',
  'CREATE TABLE archives (id int PRIMARY KEY, pin varchar(20))',
];

describe('suggested questions', () => {
  let cell: TestCell;
  let gateway: TestGateway;
  let tenant: TestTenant;
  let other: TestTenant;
  const samples = (key: string, method: 'GET' | 'POST' = 'GET'): Promise<TestResponse> =>
    callGateway(gateway.url, method, '/v1/-/query', { key });

  beforeAll(async () => {
    cell = await createTestCell(servers.mysql, servers.redisUrl);
    tenant = await cell.addTenant({ ddl: DDL });
    other = await cell.addTenant({ ddl: ['CREATE TABLE songs (id int PRIMARY KEY, title varchar(20))'] });
    gateway = await cell.startGateway();
  });
  afterAll(() => cell.stop());

  it('each suggested question has an answer', async () => {
    const { status, json } = await samples(tenant.key);
    expect(status).toBe(200);
    expect(json.samples.length).toBeGreaterThan(0);
    for (const query of json.samples)
      expect(
        (await callGateway(gateway.url, 'POST', '/v1/-/query', { key: tenant.key, body: { query } })).status,
        query,
      ).toBe(200);
    const narrow = (await cell.addKey(tenant, { tables: { teams: ['read'] } })).secret;
    expect((await samples(tenant.key)).text).toContain('archives');
    expect((await samples(narrow)).text).not.toMatch(/archive|pin/);
    expect((await samples(other.key)).text).toContain('songs');
    expect((await samples(other.key)).text).not.toMatch(/team|archive/);
  });

  it('suggested questions are returned only to keys with the scope query', async () => {
    const reader = (await cell.addKey(tenant, { scopes: ['read'] })).secret;
    expect((await samples(reader)).status).toBe(403);
    expect((await samples('')).status).toBe(401);
  });
});
