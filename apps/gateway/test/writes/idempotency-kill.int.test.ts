import { setTimeout as pause } from 'node:timers/promises';
import { getTestServers, listEnginesOnce } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../support/gateway-process.js';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE effects (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, mark varchar(60) NOT NULL, KEY (mark))',
  'CREATE TABLE counters (id int NOT NULL PRIMARY KEY, value int NOT NULL)',
];
/**
 * The maximum number of attempts. It is high, because on a busy machine a gateway takes a while to start
 * again.
 */
const ATTEMPTS_MAX = 2_000;
const POINTS = ['before_begin', 'after_record', 'after_write', 'after_commit', 'after_first_byte'] as const;

/** This test runs a few writes. `pnpm test:long idempotency` tests all kinds of writes, many more times. */
describe.each(listEnginesOnce().map((engine) => [engine.engine, engine] as const))(
  'writes whose gateway is killed on %s',
  (_name, engine) => {
    let cell: TestCell;
    let tenant: TestTenant;
    let gateways: GatewayProcess[];

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      tenant = await cell.addTenant({ ddl: DDL });
      gateways = await Promise.all([cell.startGatewayProcess('test'), cell.startGatewayProcess('test')]);
    });

    afterAll(() => cell.stop());

    /** Inserts a row and increments a counter in one request. */
    const send = (
      url: string,
      mark: string,
      counter: number,
      headers: Record<string, string> = {},
    ): Promise<TestResponse> => {
      const operations = [
        { method: 'POST', path: '/effects', body: { mark } },
        { method: 'PATCH', path: `/counters/${counter}`, body: { value: { $inc: 1 } } },
      ];
      return callGateway(url, 'POST', '/v1/-/_batch', {
        key: tenant.key,
        body: { operations },
        headers: { 'idempotency-key': mark, ...headers },
      });
    };

    /** Retries the same request, as a client would, alternating between two gateways until one responds. */
    async function sendUntilAnswered(
      mark: string,
      counter: number,
      first: { at: number; headers?: Record<string, string> },
    ): Promise<{ reply: TestResponse; attempts: number }> {
      for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt += 1) {
        const url = gateways[(first.at + attempt - 1) % gateways.length]?.url ?? '';
        const response =
          url === ''
            ? null
            : await send(url, mark, counter, attempt === 1 ? first.headers : {}).catch(() => null);
        if (response !== null && response.status < 300) return { reply: response, attempts: attempt };
        if (response !== null) expect([409, 503, 504]).toContain(response.status);
        await pause(25);
      }
      throw new Error(`${mark} was never answered`);
    }

    const countEffects = async (mark: string): Promise<number> =>
      (await cell.root.rows(`SELECT id FROM ${tenant.schemaName}.effects WHERE mark = ?`, [mark])).length;
    const valueOf = async (counter: number): Promise<number> =>
      Number(
        (
          await cell.root.rows<{ value: number }>(
            `SELECT value FROM ${tenant.schemaName}.counters WHERE id = ?`,
            [counter],
          )
        )[0]?.value,
      );
    const readStored = async (mark: string): Promise<string> =>
      String(
        (
          await cell.root.rows<{ body: Buffer }>(
            `SELECT body FROM ${tenant.schemaName}s.idempotency WHERE idempotency_key = ?`,
            [mark],
          )
        )[0]?.body,
      );

    async function expectOnce(mark: string, response: TestResponse): Promise<void> {
      expect([mark, await countEffects(mark), await readStored(mark)]).toEqual([mark, 1, response.text]);
    }

    it('an idempotent write happens once when its gateway is killed at any fail point', async () => {
      await cell.root.run(`INSERT INTO ${tenant.schemaName}.counters VALUES (1, 0)`);
      for (const [index, point] of POINTS.entries()) {
        const gateway = gateways[index % 2];
        await gateway?.ready();
        const before = gateway?.deaths() ?? 0;
        const { reply: response, attempts } = await sendUntilAnswered(point, 1, {
          at: index,
          headers: { 'x-fail-point': point },
        });
        expect([point, attempts > 1, response.headers.get('idempotent-replayed')]).toEqual([
          point,
          true,
          point === 'after_commit' || point === 'after_first_byte' ? 'true' : null,
        ]);
        await expect.poll(() => gateway?.deaths()).toBe(before + 1);
        await expectOnce(point, response);
      }
      expect(await valueOf(1)).toBe(POINTS.length);
    });

    it('an idempotent write happens once when its gateway is killed at any time', async () => {
      await cell.root.run(`INSERT INTO ${tenant.schemaName}.counters VALUES (2, 0)`);
      const marks: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(gateways.map((gateway) => gateway.ready()));
        const writes = Array.from({ length: 8 }, (_, index) => `random-${round}-${index}`);
        marks.push(...writes);
        const responses = writes.map((mark, index) => sendUntilAnswered(mark, 2, { at: index }));
        await pause(round * 12);
        gateways[round % 2]?.kill();
        for (const [index, { reply: response }] of (await Promise.all(responses)).entries())
          await expectOnce(writes[index] ?? '', response);
      }
      expect(await valueOf(2)).toBe(marks.length);
    });

    it('a request cannot kill a gateway in production', async () => {
      const gateway = await cell.startGatewayProcess('production');
      for (const point of POINTS) {
        const response = await send(gateway.url, `production-${point}`, 1, { 'x-fail-point': point });
        expect([point, response.status, gateway.deaths()]).toEqual([point, 200, 0]);
      }
    });
  },
);
