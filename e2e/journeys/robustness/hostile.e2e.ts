import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERROR_CODES } from '@rowhouse/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLASSES, makeHostile } from '../../hostile/make-hostile.mjs';
import { prepareTargets, type AttackTarget } from '../../hostile/prepare-targets.mjs';
import { readAnswers } from '../../hostile/raw-client.mjs';
import { runControls, runHostile } from '../../hostile/run-hostile.mjs';
import { readProduct } from '../../support/product.mjs';

/** The number of requests in this short version of the suite. `pnpm test:long hostile` sends 40,000. */
const SAMPLE = 1_500;
const SEED = 20_260_101;

describe('hostile requests', () => {
  let targets: AttackTarget[];
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ targets, close } = await prepareTargets(readProduct(), 4));
  });
  afterAll(() => close?.());

  it('a valid request of each class and parameter position succeeds', async () => {
    const controls = await runControls(targets[0] as AttackTarget, { isSample: true });
    expect(controls.faults).toEqual([]);
    expect(controls.classes).toBe(CLASSES.length);
    expect(CLASSES.length).toBeGreaterThanOrEqual(40);
    for (const entry of CLASSES) expect(entry.places.length, entry.name).toBeGreaterThanOrEqual(9);
  });

  it(`${SAMPLE} hostile requests reveal and change nothing, and get no 5xx`, async () => {
    const result = await runHostile({ targets, codes: ERROR_CODES, seed: SEED, count: SAMPLE });
    expect(result.findings.slice(0, 10)).toEqual([]);
    expect([result.requests, result.checksums > SAMPLE / 30]).toEqual([SAMPLE, true]);
    expect(Object.keys(result.byClass).length).toBeGreaterThan(CLASSES.length * 0.9);
    expect(Object.keys(result.byCode).length).toBeGreaterThan(12);
  });
});

describe('the monitor of hostile requests', () => {
  let server: Server;
  let target: AttackTarget;
  let reply = { status: 200, type: 'application/json', body: '[]' };
  let rows = 'same';

  beforeAll(async () => {
    server = createServer({ requireHostHeader: false }, (_req, res) => {
      res.writeHead(reply.status, {
        'Content-Type': reply.type,
        'X-Request-Id': 'req_1',
        Connection: 'close',
      });
      res.end(reply.body);
    });
    // Malformed requests that are rejected with this error must not be reported.
    const malformed = error('request.malformed', 'x');
    server.on('clientError', (_err, socket) =>
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nX-Request-Id: req_1\r\nContent-Type: application/json\r\nContent-Length: ${malformed.length}\r\nConnection: close\r\n\r\n${malformed}`,
      ),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const names = {
      vault: 'vault_1',
      pin: 'pin_1',
      hidden: 'shadow_1',
      schema: 'pxown',
      victimSchema: 'pxother',
      victimId: 'db_1',
      victimSlug: 'slug',
    };
    target = {
      base: `http://${host}`,
      context: { key: 'k', host, victimKey: 'v', names },
      canaries: ['canary-a', 'canary-b'],
      secrets: ['vault_1'],
      checksum: async () => rows,
    };
  });
  afterAll(() => server.close());

  const run = (count = 60): ReturnType<typeof runHostile> =>
    runHostile({ targets: [target], codes: ERROR_CODES, seed: 1, count });
  const error = (code: string, detail: unknown): string =>
    JSON.stringify({ detail, code, request_id: 'req_1' });

  it.each<[string, number, string, RegExp]>([
    ['a row of another tenant', 200, '[{"a":"canary-a"}]', /another tenant/],
    ['a row that the key may not see', 200, '[{"a":"canary-b"}]', /may not see/],
    [
      'a name that the key may not know',
      422,
      error('params.invalid', [{ loc: [], msg: 'Did you mean vault_1?', type: 'x' }]),
      /may not know/,
    ],
    ['a 500', 500, error('internal.defect', 'x'), /is a 500/],
    ['a 503', 503, error('db.unavailable', 'x'), /is a 503/],
    [
      'database text',
      422,
      error('params.invalid', [{ loc: [], msg: "Unknown column 'x'", type: 'x' }]),
      /speaks of the inside/,
    ],
    ['a code that is none', 400, error('nonsense', 'x'), /outside the table/],
  ])('the monitor of hostile requests finds %s', async (_, status, body, fault) => {
    reply = { status, type: 'application/json', body };
    expect((await run()).findings.flatMap((finding) => finding.faults).join('\n')).toMatch(fault);
  });

  it('the monitor of hostile requests reports changed rows and no unchanged ones', async () => {
    reply = { status: 200, type: 'application/json', body: '[]' };
    expect((await run()).findings).toEqual([]);
    const changing: AttackTarget = { ...target, checksum: async () => (rows += 'x') };
    expect(
      (await runHostile({ targets: [changing], codes: ERROR_CODES, seed: 1, count: 60 })).findings.flatMap(
        (finding) => finding.faults,
      ),
    ).toEqual(['one of these changed rows']);
  });

  it('a hostile request can be generated again from its seed and index', () => {
    const bytes = (index: number): string => makeHostile(5, index, target.context).bytes.toString('latin1');
    for (const index of [0, 77, 4_000, 39_999]) expect(bytes(index)).toBe(bytes(index));
    expect(new Set(Array.from({ length: 200 }, (_, index) => bytes(index))).size).toBeGreaterThan(150);
  });

  it('the raw HTTP client reads responses of known length, in chunks and until the connection ends', () => {
    const read = (text: string, method = 'GET', isFinished = false): string[] =>
      readAnswers(Buffer.from(text), method, isFinished).answers.map(
        (answer) => `${answer.status} ${answer.text}`,
      );
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab')).toEqual(['200 ab']);
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab')).toEqual([]);
    expect(
      read('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n'),
    ).toEqual(['200 abc']);
    expect(read('HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n')).toEqual([
      '204 ',
      '400 ',
    ]);
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', 'HEAD')).toEqual(['200 ']);
    expect(read('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nab', 'GET', true)).toEqual(['200 ab']);
  });
});
