import { describe, expect, it } from 'vitest';
import { PROJECT, run } from './testing/run.js';
import { COMMANDS } from './commands.js';

describe('runCli', () => {
  it('every CLI command has help with examples', async () => {
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

  it('the CLI suggests a similar command for a mistyped one', async () => {
    expect(await run(['schema', 'depoly'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean rowhouse schema deploy?'),
    });
    expect((await run(['deploy'])).err).toContain('did you mean rowhouse schema deploy?');
    expect((await run(['diff'])).err).toContain('did you mean rowhouse schema diff?');
    expect(await run(['projects', 'list', '--jsn'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean --json?'),
    });
    expect(await run(['keys', 'create'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Missing argument for keys create. Expected NAME.'),
    });
    expect(await run(['whoami', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Too many arguments for whoami'),
    });
  });

  it('the CLI shows every error response with a next step', async () => {
    const rejected = (status: number, body: object) =>
      run(['projects', 'list'], { 'GET /api/projects': { status, body } });
    expect(await rejected(401, { code: 'auth.invalid', detail: 'This token is not valid.' })).toMatchObject({
      code: 3,
      err: expect.stringMatching(/error: This token is not valid\.\n next: run rowhouse login/),
    });
    expect(
      (
        await rejected(422, {
          code: 'body.invalid',
          detail: [{ loc: ['body', 'name'], msg: 'Too long', type: 'x' }],
        })
      ).err,
    ).toContain('error: name: Too long');
    expect(
      (await rejected(403, { code: 'query.not_allowed', detail: 'One statement at a time.' })).err,
    ).toContain('next: send a single SELECT');
    expect(
      (await rejected(500, { code: 'internal', detail: 'Something is broken.', request_id: 'req_9' })).err,
    ).toContain('(request req_9)');
    expect(
      JSON.parse(
        (
          await run(['projects', 'list', '--json'], {
            'GET /api/projects': { status: 409, body: { code: 'x.y', detail: 'No.', hint: 'Yes.' } },
          })
        ).out,
      ),
    ).toMatchObject({ error: { code: 'x.y', message: 'No.', next: 'Yes.' } });
  });

  it('the CLI asks no question without a terminal', async () => {
    const answers = { 'GET /api/projects': { body: { items: [PROJECT] } } };
    expect(await run(['projects', 'delete'], answers)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    });
    expect(await run(['login'])).toMatchObject({ code: 2, err: expect.stringContaining('--password-stdin') });
  });

  it('login sends a code if the account has two-factor authentication', async () => {
    const sent: unknown[] = [];
    const answers = {
      'POST /api/auth/login': { status: 401, body: { code: 'auth.second_factor_required' } },
      'POST /api/auth/second-factor': (body: unknown) => {
        sent.push(body);
        return { body: { csrf_token: 'c', account: { email: 'me@example.com' } } };
      },
      'POST /api/tokens': { body: { id: 'pat_1', token: 'rhp_1' } },
      'POST /api/auth/logout': { body: {} },
    };
    const words = ['login', '--url', 'http://127.0.0.1:1', '--email', 'me@example.com', '--password-stdin'];
    expect(await run(words, answers)).toMatchObject({ code: 2, err: expect.stringContaining('--code') });
    expect(await run([...words, '--code', ' 123456 '], answers)).toMatchObject({
      code: 0,
      err: expect.stringContaining('Signed in'),
    });
    expect(sent).toEqual([{ code: '123456' }]);
  });

  it('switches may precede the CLI command', async () => {
    expect(
      JSON.parse(
        (await run(['--json', 'projects', 'list'], { 'GET /api/projects': { body: { items: [PROJECT] } } }))
          .out,
      ),
    ).toEqual([PROJECT]);
  });

  it('options with values and --help may precede the CLI command', async () => {
    const answers = { 'GET /api/projects': { body: { items: [PROJECT] } } };
    expect(
      JSON.parse(
        (await run(['-p', 'Blog', '--database=development', '--json', 'projects', 'show'], answers)).out,
      ),
    ).toEqual(PROJECT);
    expect((await run(['--project', 'Shop', 'projects', 'show'], answers)).err).toContain(
      'Unknown project Shop.',
    );
    expect((await run(['--help', 'projects', 'show'])).out).toContain('Usage: rowhouse projects show');
  });

  it('the CLI does not report an unwritable file or an invalid number as a bug', async () => {
    const answers = {
      'GET /api/projects': { body: { items: [PROJECT] } },
      'GET /api/projects/prj_1/schema': { body: { sql: '', revision: 1 } },
    };
    const result = await run(['schema', 'pull', 'nowhere/schema.sql'], answers);
    expect(result).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /Couldn't read or write .*nowhere\/schema\.sql \(ENOENT\)\.\n next: check that the folder exists/,
      ),
    });
    expect(await run(['schema', 'log', '--limit', 'all'], answers)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Invalid number all for --limit.'),
    });
    expect(await run(['keys', 'rotate', 'key_1', '--overlap', '1.5'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Invalid number 1.5 for --overlap.'),
    });
  });

  it('the CLI prints colors only with --color', async () => {
    const answers = { 'GET /api/projects': { body: { items: [PROJECT] } } };
    expect((await run(['projects', 'list'], answers)).out).not.toContain('\u001b[');
    expect((await run(['projects', 'list', '--color'], answers)).out).toContain('\u001b[1m');
    expect((await run(['projects', 'list', '--color'], answers, { NO_COLOR: '1' })).out).not.toContain(
      '\u001b[',
    );
  });

  it('rowhouse help describes command groups and commands, and rejects unknown topics', async () => {
    expect((await run(['help', 'schema'])).out).toContain('schema import');
    expect((await run(['help', 'schema', 'import'])).out).toContain('--replace');
    expect((await run(['help', 'init'])).out).toContain('Examples:');
    expect(await run(['help', 'import'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('did you mean rowhouse schema import?'),
    });
    expect(await run(['help', 'schema', 'improt'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean rowhouse schema import?'),
    });
    expect((await run(['projct'])).err).toContain('did you mean rowhouse projects?');
  });
});
