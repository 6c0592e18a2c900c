import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDifferences, runHttpCases } from './http-case.js';

const server = createServer((req, res) => {
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ data: { id: 7, path: req.url } }));
});
let baseUrl = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe('findDifferences', () => {
  it('findDifferences ignores members that the expected value does not name', () => {
    expect(findDifferences({ a: 1, b: [{ c: /x/ }] }, { a: 1, b: [{ c: 'axb', d: 1 }], e: 2 })).toEqual([]);
  });
  it('findDifferences returns missing, different and longer values', () => {
    expect(findDifferences({ a: 1, b: 2, c: [1] }, { a: '1', c: [] })).toEqual([
      'value.a is "1", not 1',
      'value.b is missing',
      'value.c has 0 entries, not 1',
    ]);
  });
});

describe('runHttpCases', () => {
  it('runHttpCases can use a saved value in the next request', async () => {
    await runHttpCases(baseUrl, [
      { method: 'GET', path: '/a', expect: { status: 200 }, save: { id: 'data.id' } },
      {
        method: 'GET',
        path: '/posts/{{id}}',
        expect: {
          status: 200,
          headers: { 'content-type': /json/ },
          body: { data: { path: '/posts/{{id}}' } },
        },
      },
    ]);
  });
  it('a failed HTTP case shows the difference and the response body', async () => {
    await expect(
      runHttpCases(baseUrl, [{ method: 'GET', path: '/a', expect: { status: 404, code: 'row.not_found' } }]),
    ).rejects.toThrow(/status is 200, not 404[^]*code is undefined[^]*"id":7/);
  });
});
