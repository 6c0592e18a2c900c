import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tryMcp } from './try-mcp.js';

const fetched = vi.fn<typeof fetch>();
beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => vi.unstubAllGlobals());

const response = (status: number, body: unknown): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'x-request-id': 'req_1' },
  });
const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    protocolVersion: '2025-06-18',
    serverInfo: { name: 'rowhouse', title: 'Rowhouse: development database' },
  },
};
const check = () => tryMcp('https://api.example.org/mcp', 'rh_dev_x');

it('tryMcp lists the tools with the protocol revision that the server chose', async () => {
  fetched.mockResolvedValueOnce(response(200, HELLO)).mockResolvedValueOnce(
    response(200, {
      jsonrpc: '2.0',
      id: 2,
      result: { tools: [{ name: 'get_schema' }, { name: 'query_database' }] },
    }),
  );
  expect(await check()).toEqual({
    title: 'Rowhouse: development database',
    revision: '2025-06-18',
    tools: ['get_schema', 'query_database'],
    tookMs: expect.any(Number),
  });
  expect(fetched.mock.calls.map(([url, init]) => [url, JSON.parse(String(init?.body)).method])).toEqual([
    ['https://api.example.org/mcp', 'initialize'],
    ['https://api.example.org/mcp', 'tools/list'],
  ]);
  expect(fetched.mock.calls[1]?.[1]?.headers).toMatchObject({
    Authorization: 'Bearer rh_dev_x',
    'Mcp-Protocol-Version': '2025-06-18',
  });
});

it('tryMcp reports errors of the gateway, of the MCP protocol and of other servers', async () => {
  fetched.mockResolvedValueOnce(
    response(401, { detail: 'The API key has expired.', code: 'auth.expired_key', hint: 'Make another.' }),
  );
  await expect(check()).rejects.toMatchObject({
    status: 401,
    code: 'auth.expired_key',
    hint: 'Make another.',
    requestId: 'req_1',
  });
  fetched.mockResolvedValueOnce(response(200, HELLO)).mockResolvedValueOnce(
    response(200, {
      jsonrpc: '2.0',
      id: 2,
      error: { code: -32603, message: 'The database is away.', data: { code: 'db.unavailable' } },
    }),
  );
  await expect(check()).rejects.toMatchObject({ code: 'db.unavailable', message: 'The database is away.' });
  fetched.mockResolvedValueOnce(
    response(400, { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'No.' } }),
  );
  await expect(check()).rejects.toMatchObject({ status: 400, code: 'mcp.-32600' });
  fetched.mockResolvedValueOnce(response(404, '<html>'));
  await expect(check()).rejects.toMatchObject({
    status: 404,
    code: 'http.404',
    message: 'The server didn’t respond with MCP.',
  });
  fetched.mockRejectedValueOnce(new TypeError('fetch failed'));
  await expect(check()).rejects.toMatchObject({
    status: 0,
    code: 'network.failed',
    message: expect.stringContaining('https://api.example.org'),
  });
});
