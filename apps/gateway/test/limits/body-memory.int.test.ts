import { Agent, request } from 'node:http';
import { listEnginesOnce } from '@rowhouse/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { stageCell } from '../support/stage-cell.js';

const DDL = ['CREATE TABLE heaps (id int PRIMARY KEY, t longtext NOT NULL)'];
const toRecord = (id: number): string => `{"id":${id},"t":"${'x'.repeat(7 * 1024 * 1024)}"}`;
const CODE_PATHS = {
  '/v1/-/heaps': toRecord,
  '/mcp': (id: number): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_records","arguments":{"table":"heaps","records":[${toRecord(id)}]}}}`,
} as const;
/** The number of bodies is higher than the memory budget allows. */
const BODIES = 40;

describe.each(listEnginesOnce().map((engine) => [engine.engine, engine] as const))(
  'the budget for request bodies on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { tenant: { ddl: DDL } });
    const agent = new Agent({ keepAlive: true });
    afterAll(() => agent.destroy());

    /** Resolves with the status and discards the response. */
    const send = (
      key: string,
      body: Buffer,
      path: keyof typeof CODE_PATHS = '/v1/-/heaps',
    ): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'content-length': body.length,
        };
        const call = request(`${stage.gateway.url}${path}`, { method: 'POST', headers, agent }, (res) => {
          res.resume();
          res.once('end', () => resolve(res.statusCode ?? 0)).once('error', reject);
        });
        call.once('error', reject).end(body);
      });

    it.each(['/v1/-/heaps', '/mcp'] as const)(
      'the waiting bodies of one database do not block the bodies of others: %s',
      async (path) => {
        const { schemaName } = stage.tenant;
        await stage.cell.pool.transaction(async (session) => {
          // The row stays locked, so other inserts with this id wait.
          await session.run(`INSERT INTO ${schemaName}.heaps VALUES (1, '')`);
          const ended: number[] = [];
          const body = Buffer.from(CODE_PATHS[path](1));
          const waiting = Array.from({ length: BODIES }, () =>
            send(stage.tenant.key, body, path).then((status) => void ended.push(status)),
          );
          await expect
            .poll(() => ended.filter((status) => status === 503).length, { timeout: 20_000 })
            .toBeGreaterThanOrEqual(5);
          const others = await Promise.all(
            Array.from({ length: 8 }, (_, index) =>
              send(stage.other.key, Buffer.from(`{"id":${index},"t":"small"}`)),
            ),
          );
          expect([others, await send(stage.other.key, Buffer.from(toRecord(99)))]).toEqual([
            Array(8).fill(201),
            201,
          ]);
          await Promise.all(waiting);
        });
        for (const { schemaName: schema } of [stage.tenant, stage.other])
          await stage.cell.root.run(`DELETE FROM ${schema}.heaps`);
      },
      60_000,
    );

    it('the databases of one account share a limit for request bodies', async () => {
      const [own, sibling] = [
        await stage.cell.addTenant({ ddl: DDL, accountId: 'acc_many' }),
        await stage.cell.addTenant({ ddl: DDL, accountId: 'acc_many' }),
      ];
      const body = Buffer.from(toRecord(1));
      expect(await send(own.key, body)).toBe(201);
      // Uses up the memory budget of the account, under another of its databases.
      const held = stage.gateway.running.services.largeBodies.hold({
        ownerId: 'acc_many',
        schemaName: 'another',
      });
      held.resize(96 * 1024 * 1024);
      try {
        expect([
          await send(sibling.key, body),
          await send(sibling.key, Buffer.from('{"id":2,"t":"small"}')),
          await send(stage.other.key, body),
        ]).toEqual([503, 201, 201]);
      } finally {
        held.end();
      }
      expect(await send(sibling.key, body)).toBe(201);
    });
  },
);
