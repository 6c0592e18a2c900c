import { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from './mcp-endpoint.js';
import { type McpResponse } from './check-message.js';
import { toToolError, toToolResult, type McpToolbox } from './tools.js';

const defects: unknown[] = [];
const endpoint = createMcpEndpoint((error) => defects.push(error));

const toolbox: McpToolbox = {
  name: 'test',
  title: 'Test',
  instructions: 'Be careful.',
  listTools: async () => [{ name: 'echo', inputSchema: { type: 'object' } }],
  async callTool(name, args) {
    if (name === 'echo') return toToolResult(JSON.stringify(args), args);
    if (name === 'refuse')
      return toToolError({ code: 'auth.scope', detail: 'No.', request_id: 'req_1', hint: 'Ask.' });
    if (name === 'broken') throw new Error('a secret of the inside');
    if (name === 'away') throw new AppError('db.unavailable', { hint: 'Wait.' });
    return null;
  },
};

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

function send(message: unknown, headers: Record<string, string> = {}): Promise<McpResponse> {
  return endpoint.serve({ headers, message }, toolbox);
}

async function ask(
  method: string,
  params: object = {},
  epoch: 'legacy' | 'modern' = 'legacy',
): Promise<ReturnType<typeof JSON.parse>> {
  const isModern = epoch === 'modern';
  const name: Record<string, string> = 'name' in params ? { 'mcp-name': String(params.name) } : {};
  const headers = {
    'mcp-protocol-version': isModern ? '2026-07-28' : '2025-11-25',
    ...(isModern ? { 'mcp-method': method, ...name } : {}),
  };
  const answer = await send(
    { jsonrpc: '2.0', id: 7, method, params: isModern ? { ...params, _meta: MODERN } : params },
    headers,
  );
  return { status: answer.status, ...JSON.parse(answer.body ?? '{}') };
}

describe('createMcpEndpoint', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'an MCP client completes the handshake in the protocol revision %s',
    async (protocolVersion) => {
      const { result } = await ask('initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'c', version: '1' },
      });
      expect(result).toMatchObject({
        protocolVersion,
        serverInfo: { name: 'test', title: 'Test' },
        capabilities: { tools: {} },
        instructions: 'Be careful.',
      });
    },
  );

  it('the MCP endpoint supports discovery of revision 2026-07-28 without a handshake', async () => {
    const { result } = await ask('server/discover', {}, 'modern');
    expect(result).toMatchObject({
      supportedVersions: expect.arrayContaining(['2026-07-28']),
      capabilities: { tools: {} },
    });
  });

  it.each(['legacy', 'modern'] as const)(
    'an MCP client of the %s protocol lists and calls tools',
    async (epoch) => {
      expect((await ask('tools/list', {}, epoch)).result.tools).toMatchObject([{ name: 'echo' }]);
      const { result } = await ask('tools/call', { name: 'echo', arguments: { a: 'b' } }, epoch);
      expect(result).toMatchObject({
        structuredContent: { notice: expect.any(String), a: 'b' },
        content: [{ type: 'text', text: expect.stringContaining('{"a":"b"}') }],
      });
      expect((await ask('tools/call', { name: 'refuse' }, epoch)).result).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'auth.scope' } },
      });
    },
  );

  it('the list of MCP tools has a cache lifetime in protocol revisions that support it', async () => {
    expect((await ask('tools/list', {}, 'modern')).result).toMatchObject({
      ttlMs: expect.any(Number),
      cacheScope: 'private',
    });
  });

  it.each(['legacy', 'modern'] as const)(
    'MCP errors have the form that the protocol requires: %s',
    async (epoch) => {
      expect(await ask('tools/call', { name: 'nope' }, epoch)).toMatchObject({
        id: 7,
        error: { code: -32602 },
      });
      expect(await ask('no/such', {}, epoch)).toMatchObject({ error: { code: -32601 } });
      expect(await ask('tools/call', { name: 'away' }, epoch)).toMatchObject({
        error: {
          code: -32603,
          message: 'The database is unavailable. Wait.',
          data: { code: 'db.unavailable' },
        },
      });
      const broken = await ask('tools/call', { name: 'broken' }, epoch);
      expect(broken).toMatchObject({ error: { code: -32603 } });
      expect(JSON.stringify(broken)).not.toContain('inside');
      expect(defects.at(-1)).toMatchObject({ message: 'a secret of the inside' });
    },
  );

  it('the MCP endpoint accepts one message per request and sends no response to a notification', async () => {
    expect(await send([{ jsonrpc: '2.0', id: 1, method: 'ping' }])).toMatchObject({
      status: 400,
      body: expect.stringContaining('-32600'),
    });
    for (const message of [null, 5, 'x']) expect((await send(message)).status).toBe(400);
    expect(await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({
      status: 202,
      contentType: null,
      body: null,
    });
    expect(await send({ jsonrpc: '2.0', id: 3, method: 'subscriptions/listen', params: {} })).toMatchObject({
      status: 404,
      body: expect.stringContaining('"id":3'),
    });
  });

  it.each(['legacy', 'modern'] as const)(
    'the MCP endpoint limits the size of a message, except for tool arguments: %s',
    async (epoch) => {
      const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`m${index}`, index]));
      const reported = await ask('tools/call', { name: 'echo', arguments: many }, epoch);
      expect(Object.keys(reported.result.structuredContent)).toHaveLength(50_001);
      for (const params of [
        many,
        { name: 'echo', arguments: Object.values(many) },
        { name: 'echo', arguments: {}, more: { many } },
      ]) {
        expect(await ask('tools/call', params, epoch)).toMatchObject({
          status: 400,
          error: { code: -32600, message: expect.stringContaining('1,000 values') },
        });
      }
    },
  );

  it('the MCP endpoint responds to ping and rejects an unknown protocol revision', async () => {
    expect(await ask('ping')).toMatchObject({ status: 200, result: {} });
    const answer = await send(
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { 'mcp-protocol-version': '1999-01-01' },
    );
    expect(answer.status).toBe(400);
  });
});
