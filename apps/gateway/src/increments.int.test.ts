import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type Reply } from '../test/http-call.js';
import { createTestCell, type TestCell, type TestGateway, type TestTenant } from '../test/test-cell.js';

const servers = getTestServers();
const DDL = ['CREATE TABLE counters (id int NOT NULL PRIMARY KEY, value int NOT NULL)', 'CREATE TABLE steps (value int NOT NULL PRIMARY KEY)'];
const CLIENTS = 8;
const EACH = 6;

/** `pnpm test:long increments` does the same with 32 clients and 1,000 increments. */
describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))('increments under If-Match on %s', (_name, engine) => {
  let cell: TestCell;
  let tenant: TestTenant;
  let gateways: TestGateway[];

  beforeAll(async () => {
    cell = await createTestCell(engine, servers.redisUrl);
    tenant = await cell.addTenant({ ddl: DDL });
    gateways = await Promise.all([cell.startGateway(), cell.startGateway()]);
  });

  afterAll(() => cell.stop());

  const call = (at: number, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    callGateway(gateways[at % 2]?.url ?? '', method, `/v1/-${path}`, { key: tenant.key, headers, ...(body === undefined ? {} : { body }) });

  const write = (at: number, way: string, value: number, etag: string): Promise<Reply> =>
    way === '_batch'
      ? call(at, 'POST', '/_batch', { operations: [{ method: 'PATCH', path: '/counters/1', body: { value }, if_match: etag }, { method: 'POST', path: '/steps', body: { value } }] })
      : call(at, way, '/counters/1', { value }, { 'if-match': etag });

  it('no increment is lost, however it is written', async () => {
    expect((await call(0, 'POST', '/counters', { id: 1, value: 0 })).status).toBe(201);
    let stale = 0;
    let batches = 0;
    const increment = async (turn: number): Promise<void> => {
      const way = ['PUT', 'PATCH', '_batch'][turn % 3] ?? '';
      for (let attempt = 0; ; attempt += 1) {
        const read = await call(turn + attempt, 'GET', '/counters/1');
        const reply = await write(turn + attempt + 1, way, read.json.value + 1, String(read.headers.get('etag')));
        if (reply.status === 412) stale += 1;
        else if (reply.status === 200) return void (batches += way === '_batch' ? 1 : 0);
        expect([412, 503]).toContain(reply.status);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = 0; turn < EACH; turn += 1) await increment(client + turn);
    }));
    expect((await call(0, 'GET', '/counters/1')).json.value).toBe(CLIENTS * EACH);
    expect(stale).toBeGreaterThan(0);
    expect(batches).toBe((CLIENTS * EACH) / 3);
    expect((await call(1, 'GET', '/steps?_aggregate=count')).json).toEqual([{ count: batches }]);
  });
});
