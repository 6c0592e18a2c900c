import { describe, expect, it } from 'vitest';
import { PROJECT, run } from '../testing/run.js';

describe('rowhouse mcp', () => {
  const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const PONG = { jsonrpc: '2.0', id: 1, result: {} };
  const database = { id: 'db_1', environment: 'development', base_url: 'http://127.0.0.1:1/' };
  const answers = {
    'POST /mcp': { body: PONG },
    'GET /api/projects': { body: { items: [{ ...PROJECT, databases: [database] }] } },
    'POST /api/databases/db_1/keys': { body: { id: 'key_1', secret: 'rh_dev_x' } },
    'DELETE /api/keys/key_1': { body: {} },
  };

  it.each([
    [['--projects'], {}],
    [['--key', 'k', '--gateway', 'http://127.0.0.1:1/mcp'], {}],
    [[], { ROWHOUSE_KEY: 'k', ROWHOUSE_GATEWAY: 'http://127.0.0.1:1' }],
    [['-p', 'Blog'], {}],
    [[], { ROWHOUSE_KEY: 'k' }],
  ])('rowhouse mcp with the options %j and the environment %j forwards messages', async (words, env) => {
    expect(await run(['mcp', ...words], answers, env, [PING])).toEqual({
      code: 0,
      out: `${JSON.stringify(PONG)}\n`,
      err: '',
    });
  });

  it('rowhouse mcp reports missing settings and returns server errors as MCP responses', async () => {
    expect(await run(['mcp', '--gateway', 'http://127.0.0.1:1'], {}, {}, [PING])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('ROWHOUSE_KEY'),
    });
    expect(await run(['mcp', '--key', 'k', '--gateway', 'api.example.org'], {}, {}, [PING])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('Invalid address api.example.org'),
    });
    const rejected = await run(
      ['mcp', '--projects'],
      {
        'POST /mcp': {
          status: 401,
          body: { code: 'auth.invalid_key', detail: 'The access token is not valid.' },
        },
      },
      {},
      [PING],
    );
    expect(JSON.parse(rejected.out)).toMatchObject({
      id: 1,
      error: { message: 'The access token is not valid.' },
    });
  });
});
