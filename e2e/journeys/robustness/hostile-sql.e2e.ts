import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLASSES, makeStatements } from '../../hostile-sql/make-statements.mjs';
import { prepareTargets, type Target } from '../../hostile-sql/prepare-tenants.mjs';
import { runThroughQuery } from '../../hostile-sql/run-query.mjs';
import { VALID_STATEMENTS } from '../../hostile-sql/valid-statements.mjs';
import { openApi } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';

/**
 * The number of statements in this short version of the suite. `pnpm test:long hostile-sql` sends 5,000 on
 * each engine, and removes the guards one by one.
 */
const SAMPLE = 183;
const SEED = 20_260_401;

describe('hostile SQL', () => {
  let targets: Target[];
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ targets, close } = await prepareTargets(readProduct(), 2));
  });
  afterAll(() => close?.());

  it('the generator returns different hostile statements of many classes', () => {
    const all = makeStatements({ seed: SEED, count: 5_000, engine: 'mariadb' });
    const byClass = new Map<string, number>();
    for (const item of all) byClass.set(item.className, (byClass.get(item.className) ?? 0) + 1);
    expect([all.length, new Set(all.map((item) => item.sql)).size, byClass.size]).toEqual([
      5_000,
      5_000,
      CLASSES.length,
    ]);
    expect(CLASSES.length).toBeGreaterThanOrEqual(40);
    expect(Math.min(...byClass.values())).toBeGreaterThanOrEqual(20);
    expect(makeStatements({ seed: SEED, count: 50, engine: 'mysql' })).toEqual(
      makeStatements({ seed: SEED, count: 50, engine: 'mysql' }),
    );
  });

  it.each(['key', 'writer'] as const)(
    `${SAMPLE} hostile statements sent with the %s change nothing, reveal nothing and leave no locks`,
    async (by) => {
      const statements = makeStatements({
        seed: SEED,
        count: SAMPLE,
        engine: (targets[0] as Target).engine,
        bombs: 0,
      });
      const result = await runThroughQuery({ targets, statements, by });
      expect(result.findings.slice(0, 10)).toEqual([]);
      expect([result.sent, result.looks >= SAMPLE / 40]).toEqual([SAMPLE, true]);
      if (by === 'key') expect(result.accepted).toBeLessThan(SAMPLE / 10);
    },
  );

  it('/query accepts each valid read statement of the hostile SQL suite', async () => {
    const [target] = targets as [Target];
    const api = openApi(target.base, target.key);
    for (const engine of ['mariadb', 'mysql'])
      expect(
        VALID_STATEMENTS.filter((item) => (item.engine ?? engine) === engine).length,
        engine,
      ).toBeGreaterThanOrEqual(300);
    const sample = VALID_STATEMENTS.filter(
      (item, index) => index % 6 === 0 && (item.engine ?? target.engine) === target.engine,
    );
    const rejected: string[] = [];
    for (const { sql } of sample) {
      const response = await api.query(sql);
      if (response.status !== 200) rejected.push(`${sql}: ${response.text.slice(0, 200)}`);
    }
    expect(rejected).toEqual([]);
  });
});

describe('the monitor of hostile SQL', () => {
  let server: Server;
  let target: Target;
  let reply = { status: 200, body: '[]' };
  let rows = 'same';
  let traces: string[] = [];
  let longestMs = 0;

  beforeAll(async () => {
    server = createServer((req, res) => {
      req.resume();
      res.writeHead(reply.status, { 'Content-Type': 'application/json' });
      res.end(reply.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const names = { own: 'pown', victim: 'pvictim', files: '/srv/files', low: 'low' };
    target = {
      base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      key: 'k',
      writer: 'w',
      engine: 'mariadb',
      names,
      canaries: ['canary-1'],
      reported: ['/srv/data', 'pown'],
      checksum: async () => rows,
      checksumOthers: async () => rows,
      longestSince: () => longestMs,
      findTraces: async () => traces,
    };
  });
  afterAll(() => server.close());

  const run = async (): Promise<string> =>
    (
      await runThroughQuery({
        targets: [target],
        statements: makeStatements({ seed: 1, count: 20, engine: 'mariadb', bombs: 0 }),
      })
    ).findings
      .flatMap((item) => item.faults)
      .join('\n');

  it.each<[string, number, unknown, RegExp]>([
    ['a row of another tenant', 200, [{ a: 'canary-1' }], /not the key's/],
    ['a path', 200, [{ a: '/srv/data/x' }], /tells of the server/],
    [
      'text of the database',
      400,
      { code: 'query.invalid_sql', detail: 'You have an error in your SQL syntax' },
      /text of the database/,
    ],
    ['too many rows', 200, Array.from({ length: 1_001 }, () => 1), /escapes the limit/],
    ['a 500', 500, { code: 'internal.defect' }, /is a 500/],
  ])('the monitor of hostile SQL finds %s', async (_, status, body, fault) => {
    reply = { status, body: JSON.stringify(body) };
    expect(await run()).toMatch(fault);
  });

  it('the monitor of hostile SQL reports changed rows and leftover locks', async () => {
    reply = { status: 403, body: '{"code":"query.not_allowed"}' };
    expect(await run()).toBe('');
    traces = ['the lock lk_1'];
    expect(await run()).toContain('left the lock lk_1');
    traces = [];
    longestMs = 60_000;
    expect(await run()).toMatch(/took the server \d{5} ms/);
    longestMs = 0;
    target = { ...target, checksum: async () => (rows += 'x') };
    expect(await run()).toContain('changed rows');
  });
});
