import { gunzipSync, gzipSync } from 'node:zlib';
import mysql from 'mysql2/promise';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeBlog } from '../../support/schemas/blog.mjs';
import { createConnection, createKey, deploy, signUp, type TestUser } from '../../support/control.mjs';
import { openApi, type Api } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

const LISTS = [
  '/users?sort=id',
  '/posts?sort=id',
  '/comments?sort=id',
  '/tags?sort=id',
  '/post-tags?limit=100',
];

describe('transfers between databases', () => {
  const product = readProduct();
  let ann: TestUser;
  let eve: TestUser;
  let api: Api;

  beforeAll(async () => {
    [ann, eve] = await Promise.all([
      signUp(product.control, { project: 'Anns own name' }),
      signUp(product.control, { name: 'eve', starter: 'empty' }),
    ]);
    api = openApi(product.gateways[0], ann.key);
    await writeBlog(api, 'moved');
    await api.post('/tags', { name: 'ü \'"\\ \n 😀', description: '' });
  });

  const call = (
    user: TestUser,
    method: string,
    apiPath: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => user.control.call(method, `/api/${apiPath}`, body, headers);
  async function readAll(from: Api): Promise<string[]> {
    const responses = await Promise.all(LISTS.map((path) => from.get(path)));
    expect(responses.map((response) => response.status)).toEqual(LISTS.map(() => 200));
    return responses.map((response) => response.text);
  }
  /** Returns a client of the data API for a database of this person, once it is served. */
  async function openDatabase(user: TestUser, database: string): Promise<Api> {
    const { secret } = await createKey(user, { name: 'reader' }, database);
    const opened = openApi(product.gateways[1], secret);
    await waitFor('the tables are served', async () => (await opened.get('/posts')).status === 200);
    return opened;
  }
  const waitForFile = (user: TestUser, project: string, file: string) =>
    waitFor('the file is written', async () => {
      const { json } = await call(user, 'GET', `projects/${project}/files/${file}`);
      return json.state === 'writing' ? undefined : json;
    });
  const waitForLoad = (user: TestUser, database: string, load: string) =>
    waitFor('the load ends', async () => {
      const { json } = await call(user, 'GET', `databases/${database}/loads/${load}`);
      return ['done', 'failed', 'cancelled'].includes(json.state) ? json : undefined;
    });
  async function fetchDump(user: TestUser, project: string, file: string): Promise<string> {
    const res = await fetch(`${product.control}/api/projects/${project}/files/${file}/download`, {
      headers: { cookie: user.control.state.cookie },
    });
    expect(res.status).toBe(200);
    return gunzipSync(Buffer.from(await res.arrayBuffer())).toString();
  }

  it('a database is exported and restored into a new one, which serves the same rows', async () => {
    const exported = await call(ann, 'POST', `databases/${ann.development.id}/export`, {});
    expect([201, 202], exported.text).toContain(exported.status);
    const file = await waitForFile(ann, ann.projectId, exported.json.id);
    expect(file).toMatchObject({ state: 'ready', kind: 'export', error: null });
    // The rows at the time of the export. Later writes must not be in the copy.
    const before = await readAll(api);
    await api.post('/tags', { name: 'later' });
    const restored = await call(ann, 'POST', `databases/${ann.development.id}/restore`, {
      file: file.id,
      environment: 'copy',
    });
    expect(restored.status, restored.text).toBe(202);
    const { database, load } = restored.json;
    expect(await waitForLoad(ann, database.id, load.id)).toMatchObject({
      state: 'done',
      rows_done: file.rows,
      error: null,
    });
    const copy = await openDatabase(ann, database.id);
    expect(await readAll(copy)).toEqual(before);
    // The copy is a complete database: foreign keys are enforced, new ids follow the copied ones, and its
    // history starts with the restore.
    expect((await copy.post('/posts', { title: 'x', content: 'y', user_id: 4711 })).status).toBe(409);
    expect((await copy.post('/tags', { name: 'own' })).json.id).toBeGreaterThan(2);
    const history = await call(ann, 'GET', `databases/${database.id}/migrations`);
    expect(history.json.items).toMatchObject([
      { origin: 'restore', state: 'published', by: { kind: 'account' } },
    ]);
    expect((await call(ann, 'DELETE', `projects/${ann.projectId}/files/${file.id}`)).status).toBe(204);
  });

  it('a dump is imported into the draft and the database, and omitted statements are reported', async () => {
    const exported = await call(ann, 'POST', `databases/${ann.development.id}/export`, {});
    const file = await waitForFile(ann, ann.projectId, exported.json.id);
    const dump = `${await fetchDump(ann, ann.projectId, file.id)}\nGRANT ALL ON *.* TO 'eve'@'%';\nSET GLOBAL read_only = 1;\nINSERT INTO mysql.user VALUES (1);\n`;
    const imported = await call(
      eve,
      'POST',
      `projects/${eve.projectId}/schema/import`,
      gzipSync(Buffer.from(dump)),
      { 'Content-Type': 'application/gzip' },
    );
    expect([201, 202], imported.text).toContain(imported.status);
    const taken = await waitForFile(eve, eve.projectId, imported.json.id);
    expect(taken).toMatchObject({ state: 'ready', rows: file.rows, revision: 1, problems_total: 3 });
    expect(taken.problems.map((problem: { line: number }) => problem.line)).toEqual(
      [1, 2, 3].map((index) => dump.trimEnd().split('\n').length - 3 + index),
    );
    await deploy(eve, '');
    const loaded = await call(eve, 'POST', `databases/${eve.development.id}/loads`, { file: taken.id });
    expect(loaded.status, loaded.text).toBe(202);
    expect(await waitForLoad(eve, eve.development.id, loaded.json.id)).toMatchObject({
      state: 'done',
      error: null,
    });
    const mine = openApi(product.gateways[0], eve.key);
    await waitFor('the tables are served', async () => (await mine.get('/posts')).status === 200);
    expect(await readAll(mine)).toEqual(await readAll(api));
    // A dump cannot be loaded again into tables that already have rows.
    expect(
      (await call(eve, 'POST', `databases/${eve.development.id}/loads`, { file: taken.id })).json,
    ).toMatchObject({ state: 'failed', error: { code: 'transfer.not_possible' } });
  });

  it('a share link gives access to the schema, or also to visible data, until it is revoked', async () => {
    await call(ann, 'PATCH', `databases/${ann.development.id}`, {
      settings: { hidden_columns: { users: ['bio'] } },
    });
    const shared = await call(ann, 'POST', `projects/${ann.projectId}/share`, {
      name: 'A blog',
      data: true,
      database: 'development',
    });
    expect(shared.status, shared.text).toBe(201);
    const { token } = shared.json;
    const preview = await waitFor('the copy is made', async () => {
      const response = await call(eve, 'GET', `clone/${token}`);
      return response.status === 200 ? response : undefined;
    });
    expect(preview.json).toMatchObject({ name: 'A blog', data: true });
    for (const secret of [
      ann.projectId,
      ann.development.id,
      ann.email,
      'Anns own name',
      ann.answer.organization.id,
    ])
      expect(preview.text).not.toContain(secret);

    const cloned = await call(eve, 'POST', `clone/${token}`, { name: 'Eves blog' });
    expect(cloned.status, cloned.text).toBe(201);
    for (const secret of [ann.projectId, ann.development.id, ann.email, 'Anns own name'])
      expect(cloned.text).not.toContain(secret);
    const development = cloned.json.databases.find(
      (database: { environment: string }) => database.environment === 'development',
    );
    expect(await waitForLoad(eve, development.id, cloned.json.load.id)).toMatchObject({
      state: 'done',
      error: null,
    });
    const copy = await openDatabase(eve, development.id);
    const users = (await copy.get('/users?sort=id')).json;
    expect(users.map((user: { bio: string | null }) => user.bio)).toEqual([null, null]);
    expect((await copy.get('/posts?sort=id')).text).toBe((await api.get('/posts?sort=id')).text);
    // The clone is separate: a row written to it does not appear in the original.
    await copy.post('/tags', { name: 'eves' });
    expect((await api.get('/tags')).text).not.toContain('eves');
    const production = cloned.json.databases.find(
      (database: { environment: string }) => database.environment === 'production',
    );
    const live = await openDatabase(eve, production.id);
    expect((await live.get('/posts')).json).toEqual([]);

    expect((await call(ann, 'DELETE', `projects/${ann.projectId}/shares/${shared.json.id}`)).status).toBe(
      204,
    );
    expect((await call(eve, 'GET', `clone/${token}`)).status).toBe(404);
    expect((await call(eve, 'POST', `clone/${token}`, {})).status).toBe(404);
    expect((await copy.get('/tags')).status).toBe(200);
  });

  it('files and share links are not accessible to another tenant', async () => {
    const exported = await call(ann, 'POST', `databases/${ann.development.id}/export`, {});
    const file = exported.json.id as string;
    const attempts: [string, string][] = [
      ['POST', `databases/${ann.development.id}/export`],
      ['POST', `databases/${ann.development.id}/restore`],
      ['POST', `databases/${ann.development.id}/loads`],
      ['GET', `databases/${ann.development.id}/loads`],
      ['GET', `databases/${ann.development.id}/queue`],
      ['GET', `projects/${ann.projectId}/files`],
      ['GET', `projects/${ann.projectId}/files/${file}`],
      ['GET', `projects/${ann.projectId}/files/${file}/download`],
      ['DELETE', `projects/${ann.projectId}/files/${file}`],
      ['GET', `projects/${eve.projectId}/files/${file}/download`],
      ['POST', `projects/${ann.projectId}/schema/import`],
      ['POST', `projects/${ann.projectId}/schema/take`],
      ['POST', `projects/${ann.projectId}/schema/starter`],
      ['POST', `projects/${ann.projectId}/share`],
      ['GET', `projects/${ann.projectId}/shares`],
    ];
    for (const [method, apiPath] of attempts)
      expect(
        (await call(eve, method, apiPath, method === 'POST' ? { file, environment: 'x' } : undefined)).status,
        apiPath,
      ).toBe(404);
    expect(
      (await call(eve, 'POST', `databases/${eve.development.id}/restore`, { file, environment: 'stolen' }))
        .status,
    ).toBe(404);
  });

  it('changes from a direct connection are adopted into the draft, and a starter is added', async () => {
    const applied = await call(eve, 'POST', `projects/${eve.projectId}/schema/starter`, { starter: 'shop' });
    expect(applied.status, applied.text).toBe(200);
    const { connection_string: uri } = await createConnection(eve, { name: 'owner', role: 'owner' });
    const connection = await mysql.createConnection(uri);
    await connection.query('ALTER TABLE tags ADD COLUMN colour varchar(9)');
    await connection.end();
    await waitFor(
      'the change is noticed',
      async () =>
        (await call(eve, 'GET', `projects/${eve.projectId}/drift`)).json.databases[0].direct.length === 1,
    );
    const taken = await call(eve, 'POST', `projects/${eve.projectId}/schema/take`, {
      database: 'development',
    });
    expect(taken.json, taken.text).toMatchObject({
      taken: ['tags'],
      sql: expect.stringContaining('`colour`') as unknown,
    });
    const { plans } = (
      await call(eve, 'GET', `projects/${eve.projectId}/diff?database=${eve.development.id}`)
    ).json;
    expect(plans[0].steps.map((step: { table: string }) => step.table)).not.toContain('tags');
    expect(plans[0].steps.map((step: { table: string }) => step.table)).toContain('products');
  });
});
