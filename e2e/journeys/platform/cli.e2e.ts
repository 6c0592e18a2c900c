import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installCli, type Cli } from '../../support/cli.mjs';
import { signUp, type TestUser } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

describe('the command line', () => {
  const product = readProduct();
  let cli: Cli;
  let user: TestUser;
  beforeAll(async () => {
    cli = installCli(product.control);
    user = await signUp(product.control, { project: 'Journal' });
  });
  afterAll(() => cli.remove());

  const json = async (...args: string[]) => {
    const answer = await cli.run([...args, '--json']);
    expect(answer.code, answer.stdout + answer.stderr).toBe(0);
    return answer.json;
  };

  it('the CLI explains a missing sign-in, a wrong password and an unreachable server', async () => {
    expect(await cli.run(['projects', 'list'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/not signed in[\s\S]*next: run rowhouse login/),
    });
    expect(
      await cli.run(['login', '--email', user.email, '--password-stdin'], { input: 'wrong\n' }),
    ).toMatchObject({ code: 3, stderr: expect.stringContaining('The email or password is incorrect') });
    expect(
      await cli.run(['whoami', '--url', 'http://127.0.0.1:9'], { env: { ROWHOUSE_TOKEN: 'x' } }),
    ).toMatchObject({ code: 5, stderr: expect.stringContaining("Couldn't reach http://127.0.0.1:9") });
  });

  it('the CLI stores the token of a sign-in in a file that only its owner can read', async () => {
    expect(
      await cli.run(['login', '--email', user.email, '--password-stdin'], { input: `${user.password}\n` }),
    ).toMatchObject({ code: 0, stderr: expect.stringContaining(`Signed in to ${product.control}`) });
    const config = join(cli.home, '.config', 'rowhouse');
    expect(statSync(join(config, 'config.json')).mode & 0o777).toBe(0o600);
    expect(statSync(config).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(config, 'config.json'), 'utf8')).not.toContain(user.password);
    expect(await json('whoami')).toMatchObject({ account: { email: user.email } });
  });

  it('the CLI prints lists as tables, or as JSON with --json', async () => {
    const table = await cli.run(['projects', 'list']);
    expect(table.stdout).toMatch(/^PROJECT {2}DATABASES {2,}CREATED {2,}ID\nJournal {2}/);
    expect(await json('projects', 'list')).toMatchObject([{ id: user.projectId, name: 'Journal' }]);
    expect(
      (await json('databases', 'list')).map((item: { environment: string }) => item.environment).sort(),
    ).toEqual(['development', 'production']);
    expect(await cli.run(['projects', 'show', '--project', 'Nobody'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Unknown project Nobody[\s\S]*choose one of: Journal/),
    });
  });

  it('a key created by the CLI works until the CLI revokes it', async () => {
    const key = await json('keys', 'create', 'reader', '--scope', 'read', '--table', 'posts=read');
    const api = openApi(product.gateways[0], key.secret);
    expect((await api.get('/posts')).status).toBe(200);
    expect((await api.get('/users')).status).toBe(404);
    const rotated = await json('keys', 'rotate', key.id, '--overlap', '0');
    await waitFor('the old secret has ended', async () => (await api.get('/posts')).status === 401);
    expect((await openApi(product.gateways[0], rotated.secret).get('/posts')).status).toBe(200);
    await json('keys', 'revoke', rotated.id);
    expect((await json('keys', 'list')).map((item: { name: string }) => item.name)).not.toContain('reader');
  });

  it('the CLI creates a connection string', async () => {
    const { stdout, code } = await cli.run(['connect', '--role', 'read-only', '--name', 'reports']);
    expect(code).toBe(0);
    const direct = await mysql.createConnection(stdout.trim());
    await direct.query('SELECT 1');
    await direct.end();
    const [created] = (await json('connections', 'list')).filter(
      (item: { name: string }) => item.name === 'reports',
    );
    await json('connections', 'revoke', created.id);
    expect((await cli.run(['connect'])).stdout).toContain(user.development.base_url);
  });

  it('the CLI deploys a schema file and asks for confirmation before rows are lost', async () => {
    const path = join(cli.folder, 'own.sql');
    await json('schema', 'pull', 'own.sql');
    expect(readFileSync(path, 'utf8')).toContain('CREATE TABLE `posts`');
    expect(await json('schema', 'diff', '--exit-code')).toMatchObject({ plans: [{ steps: [] }] });
    await json(
      'schema',
      'apply',
      '--sql',
      'CREATE TABLE notes (id INT AUTO_INCREMENT PRIMARY KEY, words TEXT NOT NULL, gone INT NULL)',
    );
    expect(await cli.run(['schema', 'diff', '--exit-code'])).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('CREATE TABLE `notes`'),
    });
    const deployed = await cli.run(['schema', 'deploy']);
    expect(deployed, deployed.stderr).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/development .*published[\s\S]*Deployed revision \d+ to development/),
    });
    expect(
      (await openApi(product.gateways[0], user.key).post('/notes', { words: 'x', gone: 1 })).status,
    ).toBe(201);
    await json('schema', 'apply', '--sql', 'ALTER TABLE notes DROP COLUMN gone');
    expect(await cli.run(['schema', 'deploy', '--json'])).toMatchObject({
      code: 1,
      json: { error: { code: 'schema.loss_not_accepted', next: expect.stringContaining('--accept-loss') } },
    });
    const { migrations } = await json('schema', 'deploy', '--accept-loss');
    expect(migrations).toMatchObject([{ state: 'published' }]);
    expect(await json('migrations', 'show', migrations[0].id)).toMatchObject({
      state: 'published',
      steps: expect.any(Array),
    });
    expect((await json('migrations', 'kept')).length).toBe(1);
    await json('migrations', 'revert', migrations[0].id, '--yes', '--accept-loss');
    expect(await json('migrations', 'list', '-d', 'development', '--limit', '1')).toMatchObject([
      { origin: 'revert', state: 'published' },
    ]);
    await json('migrations', 'export', 'history.tar');
    expect(existsSync(join(cli.folder, 'history.tar'))).toBe(true);
    expect(await cli.run(['schema', 'push', 'own.sql', '--base', '1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('changed since you read it'),
    });
    expect(await cli.run(['schema', 'apply', '--sql', 'CREATE TABEL x'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error:'),
    });
  });

  it('the CLI answers SQL and questions with a key that it deletes afterwards', async () => {
    const answer = await cli.run([
      'query',
      'SELECT COUNT(*) AS posts FROM posts WHERE id < ?',
      '--param',
      '1',
    ]);
    expect(answer, answer.stderr).toMatchObject({ code: 0, stdout: 'POSTS\n    0\n' });
    expect((await json('query', 'how many posts are there')).data).toEqual([{ count: 0 }]);
    expect(await cli.run(['query', 'DELETE FROM posts'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error:'),
    });
    expect((await json('keys', 'list')).map((item: { name: string }) => item.name)).not.toContain(
      'rowhouse query',
    );
  });

  it('the CLI fills empty tables with related rows and manages the synonyms of a project', async () => {
    await json('projects', 'create', 'Seeded', '--starter', 'blog');
    expect(await json('seed', '-p', 'Seeded', '--rows', '5')).toMatchObject({ seed: 'rowhouse', rows: 25 });
    const reported =
      'SELECT COUNT(*) AS n, COUNT(DISTINCT DATE(p.created_at)) AS days, COUNT(u.email) AS users FROM posts p JOIN users u ON u.id = p.user_id';
    expect((await json('query', reported, '-p', 'Seeded')).data).toEqual([{ n: 5, days: 5, users: 5 }]);
    expect(await cli.run(['seed', '-p', 'Seeded'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/posts +0 +it already has rows/),
    });
    expect(await json('seed', '-p', 'Seeded', '--append', '--table', 'users', '--rows', '3')).toMatchObject({
      rows: 3,
    });
    expect(await cli.run(['seed', '-p', 'Seeded', '-d', 'production'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--production'),
    });
    expect(await cli.run(['seed', '-p', 'Seeded', '--table', 'post'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean posts'),
    });
    const eve = await signUp(product.control, { name: 'nosy', project: 'Other' });
    const own = await user.control.call('GET', '/api/projects');
    const [{ databases }] = own.json.items.filter((project: { name: string }) => project.name === 'Seeded');
    expect((await eve.control.call('POST', `/api/databases/${databases[0].id}/seed`, {})).status).toBe(404);

    expect(await json('synonyms', 'set', 'scribble', 'posts', '-p', 'Seeded')).toMatchObject({
      phrase: 'scribble',
      table: 'posts',
      column: null,
    });
    await waitFor(
      'questions know the word',
      async () =>
        (await cli.run(['query', 'how many scribbles are there', '-p', 'Seeded', '--json'])).json?.data?.[0]
          ?.count === 5 || undefined,
    );
    expect(await cli.run(['synonyms', 'set', 'scribble', 'postz', '-p', 'Seeded'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean posts'),
    });
    expect(await json('synonyms', 'list', '-p', 'Seeded')).toMatchObject([
      { phrase: 'scribble', is_known: true },
    ]);
    await json('synonyms', 'remove', 'scribble', '-p', 'Seeded');
    expect(await json('synonyms', 'list', '-p', 'Seeded')).toEqual([]);
    await json('projects', 'delete', '-p', 'Seeded', '--yes');
  });

  it("the CLI generates and compares code without changing the user's own files", async () => {
    expect(await cli.run(['code', 'python', '--check', '--out', 'models'])).toMatchObject({ code: 4 });
    const created = await cli.run(['code', 'python', '--out', 'models']);
    expect(created, created.stderr).toMatchObject({ code: 0 });
    const own = join(cli.folder, 'models', 'posts.py');
    writeFileSync(own, `${readFileSync(own, 'utf8')}\n# mine\n`);
    writeFileSync(
      join(cli.folder, 'models', '_generated', 'posts.py'),
      '"Generated by `rowhouse code python`."\n',
    );
    expect(await cli.run(['code', 'python', '--check', '--out', 'models'])).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('differs  _generated/posts.py'),
    });
    expect(await json('code', 'python', '--out', 'models')).toMatchObject({
      written: ['_generated/posts.py'],
      removed: [],
    });
    expect(readFileSync(own, 'utf8')).toContain('# mine');
    expect(await cli.run(['code', 'python', '--check', '--out', 'models'])).toMatchObject({ code: 0 });
    writeFileSync(join(cli.folder, 'types.ts'), 'export const mine = 1;\n');
    expect(await cli.run(['code', 'typescript', '--out', '.'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was not generated'),
    });
    expect(readFileSync(join(cli.folder, 'types.ts'), 'utf8')).toContain('mine');
  });

  it('the CLI watcher keeps file, database and code in sync', async () => {
    await json('init', '--python', 'app/models');
    expect(JSON.parse(readFileSync(join(cli.folder, 'rowhouse.json'), 'utf8'))).toMatchObject({
      project: user.projectId,
      schema: 'schema.sql',
      python: { out: 'app/models' },
    });
    const dev = cli.start(['dev', '--accept-loss']);
    const generated = (name: string): string =>
      existsSync(join(cli.folder, 'app/models/_generated', name))
        ? readFileSync(join(cli.folder, 'app/models/_generated', name), 'utf8')
        : '';
    await waitFor('the first code', async () => generated('posts.py').includes('title') || undefined);
    const path = join(cli.folder, 'schema.sql');
    writeFileSync(
      path,
      `${readFileSync(path, 'utf8')}\nCREATE TABLE moods (id INT AUTO_INCREMENT PRIMARY KEY, mood VARCHAR(20) NOT NULL);\n`,
    );
    await waitFor(
      'the new table in the code',
      async () => generated('moods.py').includes('mood') || undefined,
      { timeoutMs: 60_000 },
    );
    await waitFor(
      'the new table is served',
      async () => (await openApi(product.gateways[0], user.key).get('/moods')).status === 200 || undefined,
    );
    writeFileSync(path, 'CREATE TABEL nonsense');
    await waitFor('the fault is reported', async () => dev.text().includes('!') || undefined);
    await cli.run(['schema', 'pull', 'schema.sql']);
    await cli.run(['schema', 'apply', '--sql', 'ALTER TABLE moods ADD COLUMN since DATE NULL']);
    await waitFor(
      'what was changed elsewhere',
      async () =>
        (readFileSync(path, 'utf8').includes('since') && generated('moods.py').includes('since')) ||
        undefined,
      { timeoutMs: 60_000 },
    );
    expect(await dev.stop()).toBe(0);
    const once = await cli.run(['dev', '--once', '--json']);
    expect(
      once.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { event: 'deployed', migrations: [] },
      { event: 'generated', language: 'python', written: [] },
    ]);
    expect(await cli.run(['code', 'python', '--check'])).toMatchObject({ code: 0 });
  });

  it('a rename deployed by the CLI keeps the rows', async () => {
    const path = join(cli.folder, 'renamed.sql');
    await json('schema', 'pull', 'renamed.sql');
    writeFileSync(path, readFileSync(path, 'utf8').replace('`words`', '`lines`'));
    await json('schema', 'push', 'renamed.sql', '--rename', 'notes.words=lines');
    expect(await json('schema', 'deploy')).toMatchObject({
      migrations: [{ state: 'published', plan: { loss: [] } }],
    });
    expect((await openApi(product.gateways[0], user.key).get('/notes?_select=lines')).json).toEqual([
      { lines: 'x' },
    ]);
    expect(await json('schema', 'pull', '-', '--deployed')).toMatchObject({
      sql: expect.stringContaining('`lines`'),
    });
  });

  it('the CLI adopts changes from a direct connection and from plain language', async () => {
    const direct = await mysql.createConnection(
      (await json('connect', '--role', 'owner', '--name', 'direct')).connection_string,
    );
    await direct.query('ALTER TABLE notes ADD COLUMN aside INT NULL');
    await direct.end();
    await waitFor(
      'it is seen',
      async () => (await cli.run(['drift', '--exit-code'])).code === 4 || undefined,
    );
    expect(await json('schema', 'take')).toMatchObject({
      taken: ['notes'],
      sql: expect.stringContaining('`aside`'),
    });
    expect(await cli.run(['schema', 'ask', 'a table gadgets with name and price'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('CREATE TABLE `gadgets`'),
    });
    expect(await json('schema', 'ask', 'a table gadgets with name and price', '--apply')).toMatchObject({
      applied_revision: expect.any(Number),
    });
  });

  it('the CLI exports, imports and shares a database', async () => {
    const { id } = await json('export', 'copy.sql.gz');
    expect(readFileSync(join(cli.folder, 'copy.sql.gz')).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    expect(await json('files', 'list')).toMatchObject([{ id, kind: 'export', state: 'ready' }]);
    expect(await json('restore', id, 'restored')).toMatchObject({
      database: { environment: 'restored' },
      load: { state: 'done', rows_done: 1 },
    });
    expect((await json('query', 'SELECT COUNT(*) AS n FROM notes', '-d', 'restored')).data).toEqual([
      { n: 1 },
    ]);
    await json('databases', 'delete', '-d', 'restored', '--yes');
    const { token } = await json('share', 'create');
    expect(await json('clone', token, '--name', 'Cloned')).toMatchObject({ name: 'Cloned' });
    expect(await json('schema', 'import', 'copy.sql.gz', '--project', 'Cloned')).toMatchObject({
      kind: 'import',
      state: 'ready',
      rows: 1,
    });
    await json('projects', 'delete', '--project', 'Cloned', '--yes');
    expect(await json('usage')).toMatchObject({ totals: { requests: expect.any(Number) } });
    expect(await cli.run(['requests'])).toMatchObject({ code: 0 });
    expect(await cli.run(['insights'])).toMatchObject({ code: 0 });
  });

  it('another tenant gets no access through the CLI', async () => {
    const other = await signUp(product.control, { name: 'eve', project: 'Other' });
    const token = (await other.control.call('POST', '/api/tokens', { name: 'cli' })).json.token;
    for (const args of [
      ['projects', 'show'],
      ['schema', 'diff'],
      ['keys', 'list'],
      ['code', 'python', '--check'],
      ['query', 'SELECT 1 AS a'],
    ]) {
      const answer = await cli.run([...args, '--project', user.projectId], {
        env: { ROWHOUSE_TOKEN: token },
      });
      expect(answer, args.join(' ')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Unknown project'),
      });
    }
    const { items } = (await user.control.call('GET', `/api/databases/${user.development.id}/migrations`))
      .json;
    expect(
      await cli.run(['migrations', 'show', items[0].id], { env: { ROWHOUSE_TOKEN: token } }),
    ).toMatchObject({ code: 1 });
  });

  it('signing out of the CLI revokes its token', async () => {
    const { token } = JSON.parse(readFileSync(join(cli.home, '.config/rowhouse/config.json'), 'utf8'))
      .servers[product.control];
    expect(await cli.run(['logout'])).toMatchObject({ code: 0 });
    expect(await cli.run(['whoami'])).toMatchObject({ code: 3 });
    expect(await cli.run(['whoami'], { env: { ROWHOUSE_TOKEN: token } })).toMatchObject({ code: 3 });
  });
});
