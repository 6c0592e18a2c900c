import { nameSnapshot } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA } from '@rowhouse/schema-model/testing';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient } from '../../testing/test-client.js';

describe('generated code', () => {
  let plane: TestControlPlane;
  let owner: TestClient;
  let path: string;
  let organizationId: string;
  beforeAll(async () => {
    plane = await startTestControlPlane();
    owner = new TestClient(plane.app);
    const signup = await owner.signUp('coder@example.test', { starter: 'empty' });
    organizationId = signup.json['organization'].id;
    path = `/api/databases/${signup.json['databases'][0].id}/code`;
  }, 60_000);
  afterAll(() => plane?.stop());

  it('generated files match the requested library versions', async () => {
    const python = await owner.get(`${path}/python`);
    expect(python).toMatchObject({ status: 200, json: { language: 'python', snapshot: expect.any(Number) } });
    const paths = python.json['files'].map((file: { path: string }) => file.path);
    expect(paths).toEqual(expect.arrayContaining(['__init__.py', '_generated/base.py']));
    const old = await owner.get(`${path}/python?pydantic=1&sqlalchemy=1.4`);
    expect(JSON.stringify(old.json['files'])).toContain('declarative_base()');
    expect(
      (await owner.get(`${path}/typescript`)).json['files'].map((file: { path: string }) => file.path),
    ).toContain('client.ts');
    expect(await owner.get(`${path}/python?pydantic=3`)).toMatchObject({
      status: 422,
      json: { code: 'params.invalid' },
    });
  });

  it('generated code is returned as an archive, also for an earlier schema', async () => {
    const archive = await owner.get(`${path}/python/archive`);
    expect(archive).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/x-tar',
        'content-disposition': expect.stringMatching(/^attachment; filename="python-development-\d+\.tar"$/),
      },
    });
    expect((await owner.get(`${path}/typescript/archive`)).status).toBe(200);
    expect((await owner.get(`${path}/typescript?snapshot=1`)).json).toMatchObject({ snapshot: 1 });
    expect(await owner.get(`${path}/typescript?snapshot=99`)).toMatchObject({
      status: 404,
      json: { code: 'resource.not_found' },
    });
  });

  it('number_columns accepts only TINYINT(1) columns, which generated code types as numbers', async () => {
    const { contentHash, body } = await encodeSnapshot(nameSnapshot(EXAMPLE_SCHEMA, null));
    await plane.db.cell.query(
      'INSERT INTO snapshot_content (content_hash, cell_id, body, created_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))',
      [contentHash, plane.db.cellId, body],
    );
    const database = path.replace('/code', '');
    await plane.db.cell.query('UPDATE tenant_database SET snapshot_hash = ? WHERE id = ?', [
      contentHash,
      database.split('/').at(-1),
    ]);
    const put = (columns: Record<string, string[]>) =>
      owner.patch(database, { settings: { number_columns: columns } });
    expect((await put({ posts: ['publishd'] })).json['detail'][0]).toMatchObject({
      loc: ['body', 'settings', 'number_columns', 'posts'],
      type: 'unknown_column',
    });
    const text = await put({ posts: ['published'], users: ['email'] });
    expect([text.status, text.json['detail']]).toEqual([
      422,
      [
        {
          loc: ['body', 'settings', 'number_columns', 'users'],
          msg: expect.stringMatching(/^email is VARCHAR.*Only TINYINT\(1\)/),
          type: 'value_error',
        },
      ],
    ]);
    const read = async (language: string): Promise<string> =>
      JSON.stringify((await owner.get(`${path}/${language}`)).json['files']);
    const booleans = [await read('python'), await read('typescript')];
    expect((await put({ posts: ['published', 'published'] })).json['settings'].number_columns).toEqual({
      posts: ['published'],
    });
    const numbers = [await read('python'), await read('typescript')];
    expect(
      [booleans, numbers].map((files) =>
        files.map((file) => /published\??: (?:Mapped\[)?(\w+)/.exec(file)?.[1]),
      ),
    ).toEqual([
      ['bool', 'boolean'],
      ['int', 'number'],
    ]);
  });

  it('only members, including viewers, can request generated code', async () => {
    const outsider = new TestClient(plane.app);
    expect((await outsider.get(`${path}/python`)).status).toBe(401);
    await outsider.signUp('stranger@example.test', { starter: 'empty' });
    for (const language of ['python', 'typescript'])
      expect((await outsider.get(`${path}/${language}`)).status).toBe(404);
    const invited = await owner.post(`/api/organizations/${organizationId}/invitations`, {
      email: 'reader@example.test',
      role: 'viewer',
    });
    const viewer = new TestClient(plane.app);
    await viewer.signUp('reader@example.test', { invitation: invited.json['token'], starter: 'empty' });
    for (const language of ['python', 'typescript'])
      expect((await viewer.get(`${path}/${language}`)).status).toBe(200);
  });
});
