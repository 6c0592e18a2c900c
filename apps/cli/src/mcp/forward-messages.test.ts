import { describe, expect, it } from 'vitest';
import { forwardMessages } from './forward-message.js';

interface Sent {
  readonly body: string;
  readonly headers: Record<string, string>;
}

type HttpResponse = (sent: Sent, signal: AbortSignal) => Response | Promise<Response>;

async function* listLines(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

async function bridge(
  lines: readonly string[],
  response: HttpResponse,
): Promise<{ sent: Sent[]; out: string[] }> {
  const sent: Sent[] = [];
  let out = '';
  const fetch = (async (_url: string, init: RequestInit) => {
    const item = { body: String(init.body), headers: init.headers as Record<string, string> };
    sent.push(item);
    return response(item, init.signal as AbortSignal);
  }) as typeof globalThis.fetch;
  await forwardMessages({
    lines: listLines(lines),
    print: (text) => (out += text),
    url: 'http://127.0.0.1:1/mcp',
    bearer: 'rh_x',
    fetch,
  });
  return { sent, out: out.split('\n').filter((line) => line !== '') };
}

const result = (id: unknown, value: unknown = {}): Response =>
  new Response(JSON.stringify({ jsonrpc: '2.0', id, result: value }));

describe('messages over stdin and stdout', () => {
  it('MCP messages and responses are forwarded byte for byte', async () => {
    const line =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"id":12345678901234567890,"price":1.50}}}';
    const { sent, out } = await bridge(
      [line],
      () => new Response('{"jsonrpc":"2.0","id":1,\n"result":{"n":12345678901234567890}}\n'),
    );
    expect(sent[0]?.body).toBe(line);
    expect(sent[0]?.headers).toMatchObject({
      authorization: 'Bearer rh_x',
      'content-type': 'application/json',
    });
    expect(out).toEqual(['{"jsonrpc":"2.0","id":1, "result":{"n":12345678901234567890}} ']);
  });

  it('forwarded MCP requests state the protocol version from the handshake', async () => {
    const { sent } = await bridge(
      [
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}',
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      ],
      ({ body }) =>
        body.includes('"id":0')
          ? result(0, { protocolVersion: '2025-06-18' })
          : body.includes('"id"')
            ? result(1)
            : new Response(null, { status: 202 }),
    );
    expect(sent.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
      undefined,
      '2025-06-18',
      '2025-06-18',
    ]);
  });

  it('forwarded MCP requests state the protocol version of a 2026 message', async () => {
    const params = { name: 'größe', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    const { sent } = await bridge(
      [JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })],
      () => result(1),
    );
    expect(sent[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from('größe').toString('base64')}?=`,
    });
  });

  it('forwarded responses that are not MCP messages become errors', async () => {
    const rejected = await bridge(
      ['{"jsonrpc":"2.0","id":"a","method":"ping"}'],
      () =>
        new Response('{"detail":"The API key is not valid.","code":"auth.invalid_key","hint":"Make one."}', {
          status: 401,
        }),
    );
    expect(JSON.parse(rejected.out[0] ?? '')).toMatchObject({
      id: 'a',
      error: {
        code: -32000,
        message: 'The API key is not valid. Make one.',
        data: { code: 'auth.invalid_key' },
      },
    });
    const away = await bridge(
      [
        '{"jsonrpc":"2.0","id":2,"method":"ping"}',
        '{"jsonrpc":"2.0","method":"notifications/x"}',
        'junk',
        '',
      ],
      () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
    );
    expect(new Set(away.out.map((line) => JSON.parse(line).id))).toEqual(new Set([2, null]));
    expect(away.out).toHaveLength(2);
    expect(away.out.join('')).toContain('ECONNREFUSED');
    const page = await bridge(['{"jsonrpc":"2.0","id":3,"method":"ping"}'], () => new Response('<html>'));
    expect(page.out[0]).toContain('Check that this is the address of an MCP server.');
  });

  it('a canceled MCP request is aborted, and the next ones continue', async () => {
    const { out } = await bridge(
      [
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}',
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
        '{"jsonrpc":"2.0","id":2,"method":"ping"}',
      ],
      ({ body }, signal) => {
        if (body.includes('cancelled')) return new Response(null, { status: 202 });
        if (!body.includes('slow')) return result(2);
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      },
    );
    expect(out).toEqual(['{"jsonrpc":"2.0","id":2,"result":{}}']);
  });
});
