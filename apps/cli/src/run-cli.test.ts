import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from './commands.js';
import { completeWords } from './complete-words.js';
import { renderTable } from './output/render-table.js';
import { runCli } from './run-cli.js';
import type { World } from './world.js';

const home = mkdtempSync(join(tmpdir(), 'rowhouse-cli-test-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Told {
  code: number;
  out: string;
  err: string;
}

/** A terminal that nobody sits at, and a control plane that answers what it is told to. */
async function run(words: readonly string[], answers: Readonly<Record<string, { status?: number; body: unknown }>> = {}, env: Readonly<Record<string, string>> = {}, lines: readonly string[] = []): Promise<Told> {
  const told: Told = { code: 0, out: '', err: '' };
  const world: World = {
    cwd: home, env: { HOME: home, ROWHOUSE_TOKEN: 't', ...env }, isInteractive: false, isTerminal: false, columns: 80, stopped: new AbortController().signal,
    fetch: ((input: string, init: { method?: string }) => {
      const found = answers[`${init.method ?? 'GET'} ${new URL(input).pathname}`] ?? { status: 404, body: { code: 'resource.not_found', detail: 'There is no such thing.', request_id: 'req_1' } };
      return Promise.resolve(new Response(JSON.stringify(found.body), { status: found.status ?? 200 }));
    }) as World['fetch'],
    print: (text) => {
      told.out += text;
    },
    tell: (text) => {
      told.err += text;
    },
    ask: () => Promise.resolve(''),
    readInput: () => Promise.resolve(''),
    readLines: async function* () {
      yield* lines;
    },
  };
  told.code = await runCli(words, world);
  return told;
}

const PROJECT = { id: 'prj_1', organization_id: 'org_1', name: 'Blog', created_at: '2026-01-01T00:00:00Z', databases: [] };

describe('runCli', () => {
  it('has help with examples for every command', async () => {
    for (const command of COMMANDS) {
      const { code, out } = await run([...command.name.split(' '), '--help']);
      expect(code, command.name).toBe(0);
      expect(out).toContain('Examples:\n  ');
      expect(command.examples.length, command.name).toBeGreaterThan(0);
    }
    expect((await run([])).out).toContain('schema deploy');
    expect((await run(['help', 'keys'])).out).not.toContain('schema deploy');
    expect((await run(['keys'])).out).toContain('keys rotate');
  });

  it('knows what was meant', async () => {
    expect(await run(['schema', 'depoly'])).toMatchObject({ code: 2, err: expect.stringContaining('perhaps rowhouse schema deploy?') });
    expect(await run(['projects', 'list', '--jsn'])).toMatchObject({ code: 2, err: expect.stringContaining('perhaps --json?') });
    expect(await run(['keys', 'create'])).toMatchObject({ code: 2, err: expect.stringContaining('keys create needs NAME') });
    expect(await run(['whoami', 'x'])).toMatchObject({ code: 2, err: expect.stringContaining('takes no words') });
  });

  it('tells the fault and the way out of every answer that is none', async () => {
    const refused = (status: number, body: object) => run(['projects', 'list'], { 'GET /api/projects': { status, body } });
    expect(await refused(401, { code: 'auth.invalid', detail: 'This token does not hold.' })).toMatchObject({ code: 3, err: expect.stringMatching(/error: This token does not hold\.\n next: rowhouse login/) });
    expect((await refused(422, { code: 'body.invalid', detail: [{ loc: ['body', 'name'], msg: 'Too long', type: 'x' }] })).err).toContain('error: name: Too long');
    expect((await refused(500, { code: 'internal', detail: 'Something is broken.', request_id: 'req_9' })).err).toContain('(request req_9)');
    expect(JSON.parse((await run(['projects', 'list', '--json'], { 'GET /api/projects': { status: 409, body: { code: 'x.y', detail: 'No.', hint: 'Yes.' } } })).out)).toMatchObject({ error: { code: 'x.y', message: 'No.', next: 'Yes.' } });
  });

  it('asks nobody where nobody sits', async () => {
    const answers = { 'GET /api/projects': { body: { items: [PROJECT] } } };
    expect(await run(['projects', 'delete'], answers)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(await run(['login'])).toMatchObject({ code: 2, err: expect.stringContaining('--password-stdin') });
  });

  it('takes switches in front of the command too', async () => {
    expect(JSON.parse((await run(['--json', 'projects', 'list'], { 'GET /api/projects': { body: { items: [PROJECT] } } })).out)).toEqual([PROJECT]);
  });

  it('shows no colour unless it is asked for', async () => {
    const answers = { 'GET /api/projects': { body: { items: [PROJECT] } } };
    expect((await run(['projects', 'list'], answers)).out).not.toContain('\u001b[');
    expect((await run(['projects', 'list', '--color'], answers)).out).toContain('\u001b[1m');
    expect((await run(['projects', 'list', '--color'], answers, { NO_COLOR: '1' })).out).not.toContain('\u001b[');
  });
});

describe('completeWords', () => {
  it('completes commands, their second words and options', () => {
    expect(completeWords(['sch'])).toEqual(['schema']);
    expect(completeWords(['keys', ''])).toEqual(['create', 'list', 'revoke', 'rotate']);
    expect(completeWords(['code', 'python', '--p'])).toEqual(['--project', '--pydantic']);
    expect(completeWords(['code', 'python', '--json', '--js'])).toEqual([]);
  });
});

describe('renderTable', () => {
  it('puts numbers to the right, cuts what is too wide, and lets no text move the cursor', () => {
    expect(renderTable(['n', 'text'], [[1, 'a\nb\u001b[2J'], [20, null]], null)).toEqual([' N  TEXT', ' 1  a b[2J', '20']);
    expect(renderTable(['text'], [['x'.repeat(50)]], 20)[1]).toBe(`${'x'.repeat(19)}…`);
  });
});

describe('rowhouse mcp', () => {
  const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const PONG = { jsonrpc: '2.0', id: 1, result: {} };
  const database = { id: 'db_1', environment: 'development', base_url: 'http://127.0.0.1:1/' };
  const answers = { 'POST /mcp': { body: PONG }, 'GET /api/projects': { body: { items: [{ ...PROJECT, databases: [database] }] } }, 'POST /api/databases/db_1/keys': { body: { id: 'key_1', secret: 'rh_dev_x' } }, 'DELETE /api/keys/key_1': { body: {} } };

  it.each([
    [['--projects'], {}],
    [['--key', 'k', '--gateway', 'http://127.0.0.1:1/mcp'], {}],
    [[], { ROWHOUSE_KEY: 'k', ROWHOUSE_GATEWAY: 'http://127.0.0.1:1' }],
    [['-p', 'Blog'], {}],
    [[], { ROWHOUSE_KEY: 'k' }],
  ])('carries messages: %j %j', async (words, env) => {
    expect(await run(['mcp', ...words], answers, env, [PING])).toEqual({ code: 0, out: `${JSON.stringify(PONG)}\n`, err: '' });
  });

  it('says what is missing, and what the server says of a message as its answer', async () => {
    expect(await run(['mcp', '--gateway', 'http://127.0.0.1:1'], {}, {}, [PING])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('ROWHOUSE_KEY') });
    expect(await run(['mcp', '--key', 'k', '--gateway', 'api.example.org'], {}, {}, [PING])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('is not an address') });
    const refused = await run(['mcp', '--projects'], { 'POST /mcp': { status: 401, body: { code: 'auth.invalid_key', detail: 'The access token is not valid.' } } }, {}, [PING]);
    expect(JSON.parse(refused.out)).toMatchObject({ id: 1, error: { message: 'The access token is not valid.' } });
  });
});
