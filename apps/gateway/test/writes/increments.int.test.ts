import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE counters (id int NOT NULL PRIMARY KEY, value int NOT NULL)',
  'CREATE TABLE steps (value int NOT NULL PRIMARY KEY)',
];
const CLIENTS = 8;
const EACH = 6;

/** A small version of the test `pnpm test:long increments`, which runs 32 clients and 1,000 increments. */
describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'increments under If-Match on %s',
  (_name, engine) => {
    let cell: TestCell;
    let tenant: TestTenant;
    let gateways: TestGateway[];

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      tenant = await cell.addTenant({ ddl: DDL });
      gateways = await Promise.all([cell.startGateway(), cell.startGateway()]);
    });

    afterAll(() => cell.stop());

    const call = (
      index: number,
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<TestResponse> =>
      callGateway(gateways[index % 2]?.url ?? '', method, `/v1/-${path}`, {
        key: tenant.key,
        headers,
        ...(body === undefined ? {} : { body }),
      });

    const write = (index: number, method: string, value: number, etag: string): Promise<TestResponse> =>
      method === '_batch'
        ? call(index, 'POST', '/_batch', {
            operations: [
              { method: 'PATCH', path: '/counters/1', body: { value }, if_match: etag },
              { method: 'POST', path: '/steps', body: { value } },
            ],
          })
        : call(index, method, '/counters/1', { value }, { 'if-match': etag });

    it('no concurrent increment under If-Match is lost', async () => {
      expect((await call(0, 'POST', '/counters', { id: 1, value: 0 })).status).toBe(201);
      let stale = 0;
      let batches = 0;
      const increment = async (iteration: number): Promise<void> => {
        const method = ['PUT', 'PATCH', '_batch'][iteration % 3] ?? '';
        for (let attempt = 0; ; attempt += 1) {
          const read = await call(iteration + attempt, 'GET', '/counters/1');
          const response = await write(
            iteration + attempt + 1,
            method,
            read.json.value + 1,
            String(read.headers.get('etag')),
          );
          if (response.status === 412) stale += 1;
          else if (response.status === 200) return void (batches += method === '_batch' ? 1 : 0);
          expect([412, 503]).toContain(response.status);
        }
      };
      await Promise.all(
        Array.from({ length: CLIENTS }, async (_, client) => {
          for (let iteration = 0; iteration < EACH; iteration += 1) await increment(client + iteration);
        }),
      );
      expect((await call(0, 'GET', '/counters/1')).json.value).toBe(CLIENTS * EACH);
      expect(stale).toBeGreaterThan(0);
      expect(batches).toBe((CLIENTS * EACH) / 3);
      expect((await call(1, 'GET', '/steps?_aggregate=count')).json).toEqual([{ count: batches }]);
    });
  },
);
