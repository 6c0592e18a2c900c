import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT, run, type CliResult } from './testing/run.js';

const ELSEWHERE = 'https://collector.example';
const ANSWERS = {
  'GET /api/projects': { body: { items: [PROJECT] } },
  'POST /api/auth/login': { body: {} },
  'GET /api/projects/prj_1/schema': { body: { sql: '', revision: 1 } },
  'PUT /api/projects/prj_1/schema': { body: { revision: 2, notes: [] } },
};

describe('in a repository of another author', () => {
  let location: string;
  let folder: string;
  beforeAll(() => {
    location = mkdtempSync(join(tmpdir(), 'rowhouse-hostile-'));
    folder = join(location, 'repository');
    mkdirSync(join(folder, '.git'), { recursive: true });
  });
  afterAll(() => rmSync(location, { recursive: true, force: true }));

  const here = (words: string[], env: Record<string, string> = {}): Promise<CliResult> =>
    run(words, ANSWERS, env, [], folder);
  const name = (file: object): void => writeFileSync(join(folder, 'rowhouse.json'), JSON.stringify(file));

  it('no token or password is sent to an address from rowhouse.json', async () => {
    name({ url: ELSEWHERE });
    for (const words of [
      ['projects', 'list'],
      ['mcp', '--projects'],
      ['schema', 'pull'],
    ])
      expect(await here(words), words.join(' ')).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(
          /names https:\/\/collector\.example, which you have never signed in to, so ROWHOUSE_TOKEN is not sent there[^]*--url https:\/\/collector\.example/,
        ),
      });
    expect(await here(['login', '--email', 'me@example.com', '--password-stdin'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no password or token is sent there'),
    });
    expect(await here(['login', '--token-stdin'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no password or token is sent there'),
    });
  });

  it('a token is sent to an address of an option, the environment or an earlier sign-in', async () => {
    name({ url: `${ELSEWHERE}/` });
    expect(await here(['projects', 'list', '--url', ELSEWHERE])).toMatchObject({ code: 0 });
    expect(await here(['projects', 'list'], { ROWHOUSE_URL: ELSEWHERE })).toMatchObject({ code: 0 });
    const retained = join(location, 'config');
    mkdirSync(retained);
    writeFileSync(
      join(retained, 'config.json'),
      JSON.stringify({
        servers: { [ELSEWHERE]: { token: 'kept', tokenId: 'pat_1', email: 'me@example.com' } },
      }),
    );
    expect(await here(['projects', 'list'], { ROWHOUSE_CONFIG_DIR: retained })).toMatchObject({ code: 0 });
    name({ url: `${ELSEWHERE}.evil.example` });
    expect(await here(['projects', 'list'], { ROWHOUSE_CONFIG_DIR: retained })).toMatchObject({ code: 2 });
  });

  it('the CLI reads and writes no file outside the repository', async () => {
    writeFileSync(join(location, 'key'), 'a private key');
    symlinkSync(join(location, 'key'), join(folder, 'link.sql'));
    for (const schema of ['../key', 'link.sql']) {
      name({ schema });
      for (const words of [
        ['schema', 'push'],
        ['schema', 'pull'],
      ])
        expect(await here(words), `${words.join(' ')} ${schema}`).toMatchObject({
          code: 2,
          err: expect.stringContaining('is outside'),
        });
    }
    name({ python: { out: '../models' } });
    expect(await here(['code', 'python'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is outside'),
    });
  });

  it('the CLI reports an invalid rowhouse.json', async () => {
    name({ url: 7 });
    expect(await here(['projects', 'list'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('url must be a string'),
    });
  });
});
