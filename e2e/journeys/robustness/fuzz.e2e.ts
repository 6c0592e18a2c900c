import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERROR_CODES } from '@rowhouse/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareTenants } from '../../fuzz/prepare-tenants.mjs';
import { runFuzz, type FuzzTenant } from '../../fuzz/run-fuzz.mjs';
import { readProduct } from '../../support/product.mjs';

/** The number of requests in this short version of the suite. `pnpm test:long fuzz` sends 10,000. */
const SAMPLE = 1_500;
const SEED = 20_260_101;

describe('random requests', () => {
  const product = readProduct();
  let tenants: FuzzTenant[];

  beforeAll(async () => {
    tenants = await prepareTenants(product);
  });

  it(`${SAMPLE} random requests get no undocumented error and no row of another tenant`, async () => {
    const result = await runFuzz({
      bases: product.gateways,
      tenants,
      codes: ERROR_CODES,
      seed: SEED,
      count: SAMPLE,
    });
    expect(result.findings.slice(0, 10)).toEqual([]);
    expect(result.requests).toBe(SAMPLE);
    // Some requests must succeed, because requests that are all rejected early would prove nothing.
    expect(result.byStatus['200'] ?? 0).toBeGreaterThan(SAMPLE / 10);
    expect(result.byStatus['201'] ?? 0).toBeGreaterThan(SAMPLE / 50);
    expect(Object.keys(result.byCode).length).toBeGreaterThan(12);
  });
});

describe('the checker of random requests', () => {
  let server: Server;
  let base: string;
  const tenant: FuzzTenant = {
    forbidden: 'secret-of-another',
    context: {
      key: 'k',
      tables: [{ path: 'posts', name: 'posts', columns: ['id'], relationships: ['user'] }],
      foreign: ['x'],
    },
  };
  let nextAnswer = { status: 200, body: '[]' };

  beforeAll(async () => {
    server = createServer((_req, res) => {
      res
        .writeHead(nextAnswer.status, { 'Content-Type': 'application/json', 'X-Request-Id': 'r' })
        .end(nextAnswer.body);
    });
    // Node's HTTP parser rejects an unknown method before it calls the handler, so that case is answered
    // here.
    server.on('clientError', (_err, socket) => {
      const body = '{"detail":"x","code":"request.malformed","request_id":"r"}';
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nX-Request-Id: r\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it.each([
    ['a thrown error', 500, '{"detail":"x","code":"internal.defect","request_id":"r"}', 'is a 500'],
    ['a foreign row', 200, '[{"title":"secret-of-another"}]', 'holds data of another tenant'],
    [
      'an unknown code',
      404,
      '{"detail":"x","code":"nonsense","request_id":"r"}',
      'has a code outside the table: nonsense',
    ],
    [
      'a status outside the table',
      418,
      '{"detail":"x","code":"table.not_found","request_id":"r"}',
      'has a status outside the table: 418',
    ],
    [
      'a code with another status',
      400,
      '{"detail":"x","code":"table.not_found","request_id":"r"}',
      'says table.not_found, which is 404, with status 400',
    ],
    [
      'text of the database',
      409,
      '{"detail":"Duplicate entry \'a\' for key","code":"record.duplicate","request_id":"r"}',
      "speaks of the inside: Duplicate entry '",
    ],
    ['a body that is no JSON', 400, 'Bad Request', 'has a code outside the table: undefined'],
  ])('the fuzz checker finds %s', async (_name, status, body, fault) => {
    nextAnswer = { status, body };
    const result = await runFuzz({
      bases: [base],
      tenants: [tenant],
      codes: ERROR_CODES,
      seed: 1,
      count: 40,
    });
    expect(result.findings.flatMap((finding) => finding.faults)).toContain(fault);
  });

  it('the fuzz checker finds no fault in correct responses, and a fuzz run can be repeated', async () => {
    nextAnswer = { status: 200, body: '[]' };
    const run = (): ReturnType<typeof runFuzz> =>
      runFuzz({ bases: [base], tenants: [tenant], codes: ERROR_CODES, seed: 1, count: 40 });
    expect((await run()).findings).toEqual([]);
    expect(await run()).toEqual(await run());
  });
});
