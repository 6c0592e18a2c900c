import { startModelServer, type RecordedModelCall, type ModelServer } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient } from '../../testing/test-client.js';
import { WorkingSchemaStore } from './working-schema-store.js';

async function openProject(
  plane: TestControlPlane,
  email: string,
): Promise<{ client: TestClient; path: string }> {
  const client = new TestClient(plane.app);
  const signup = await client.signUp(email, { starter: 'empty' });
  return { client, path: `/api/projects/${signup.json['project'].id}/schema` };
}

describe('drafts without a language model', () => {
  let plane: TestControlPlane;
  let client: TestClient;
  let path: string;
  beforeAll(async () => {
    plane = await startTestControlPlane();
    ({ client, path } = await openProject(plane, 'editor@example.test'));
  }, 60_000);
  afterAll(() => plane?.stop());

  it('edits change a draft and can be previewed as SQL', async () => {
    const edits = [
      { kind: 'create_table', table: 'notes', columns: [{ name: 'id', type: 'int', auto_increment: true }] },
    ];
    expect((await client.post(`${path}/edits`, { edits, preview: true })).json).toMatchObject({
      revision: 0,
      statements: [expect.stringContaining('CREATE TABLE `notes`')],
    });
    expect(await client.post(`${path}/edits`, { edits })).toMatchObject({
      status: 200,
      json: { revision: 1 },
    });
    expect((await client.get(path)).json['tables']).toHaveLength(1);
    expect((await client.post(`${path}/edits`, { edits, base_revision: 0 })).json).toMatchObject({
      code: 'schema.stale_base',
    });
  });
  it('every impossible edit is reported with suggestions', async () => {
    const faulty = await client.post(`${path}/edits`, {
      edits: [
        { kind: 'drop_table', table: 'note' },
        { kind: 'add_index', table: 'nowhere', columns: ['x'] },
      ],
    });
    expect(faulty.status).toBe(422);
    expect(faulty.json['detail']).toMatchObject([
      { loc: ['body', 'edits', 0, 'table'], msg: 'The table note does not exist. Did you mean notes?' },
      { loc: ['body', 'edits', 1, 'table'] },
    ]);
    expect(
      (await client.post(`${path}/edits`, { edits: [{ kind: 'explode', table: 'notes' }] })).status,
    ).toBe(422);
  });
  it('a schema change described in plain language becomes a proposal that changes nothing', async () => {
    const requested = await client.post(`${path}/requests`, { request: 'A table tags with name and colour' });
    expect(requested).toMatchObject({
      status: 200,
      json: {
        source: 'rules',
        revision: 1,
        impact: { added: expect.arrayContaining(['GET /tags']) as unknown },
      },
    });
    expect((await client.get(path)).json['revision']).toBe(1);
    expect(
      (
        await client.put(path, {
          sql: requested.json['sql'],
          mode: 'apply',
          base_revision: requested.json['revision'],
        })
      ).json['revision'],
    ).toBe(2);
    const rejected = await client.post(`${path}/requests`, { request: 'make it nicer' });
    expect(rejected).toMatchObject({
      status: 422,
      json: {
        code: 'schema.not_understood',
        detail: [{ loc: ['body', 'request'], msg: 'Not understood: make it nicer' }],
      },
    });
    expect(rejected.json['forms'].length).toBeGreaterThan(5);
  });
  it('a declared rename is stored as a statement of its revision', async () => {
    await client.put(path, {
      sql: 'CREATE TABLE other (id int)',
      renames: [{ kind: 'table', from: 'notes', to: 'other' }],
    });
    const { items } = (await client.get(`${path}/revisions?limit=1`)).json as {
      items: { revision: number; statements: string }[];
    };
    expect(items[0]?.statements).toBe('RENAME TABLE `notes` TO `other`;\nCREATE TABLE other (id int)');
    const [row] = await plane.db.cell.query<{ mode: string; renames: string }[]>(
      'SELECT mode, renames FROM working_schema ORDER BY revision DESC LIMIT 1',
    );
    expect(row).toEqual({ mode: 'replace', renames: '[{"kind":"table","from":"notes","to":"other"}]' });
  });
  it('replacing a table by one with the same structure creates a revision', async () => {
    const { revision } = (await client.get(path)).json as { revision: number };
    expect(
      (await client.put(path, { sql: 'CREATE TABLE other (id int)', mode: 'apply' })).json['revision'],
    ).toBe(revision);
    expect(
      (await client.put(path, { sql: 'DROP TABLE other; CREATE TABLE other (id int)', mode: 'apply' })).json[
        'revision'
      ],
    ).toBe(revision + 1);
    expect((await client.post(`${path}/restore`, { revision })).json['revision']).toBe(revision + 2);
  });
  it('the total size of the revisions that an account creates in a day is limited', async () => {
    const projectId = path.split('/')[3] ?? '';
    const check = (bytes: number): Promise<string> =>
      plane.app
        .get(WorkingSchemaStore)
        .assertSpace(projectId, bytes)
        .then(
          () => 'accepted',
          (error: { code: string }) => error.code,
        );
    expect([await check(1024), await check(1024 ** 3)]).toEqual(['accepted', 'limit.rate']);
    const other = (await client.post('/api/projects', { name: 'Other' })).json['id'] as string;
    await plane.db.cell.query('UPDATE working_schema SET project_id = ? WHERE project_id = ?', [
      other,
      projectId,
    ]);
    expect(await check(1024 ** 3)).toBe('limit.rate');
    await plane.db.cell.query(
      'UPDATE working_schema SET project_id = ?, created_at = created_at - INTERVAL 2 DAY WHERE project_id = ?',
      [projectId, other],
    );
    expect(await check(1024 ** 3)).toBe('accepted');
  });
  it('draft changes can be undone, redone and discarded by any member', async () => {
    const { client: editor, path: own } = await openProject(plane, 'removal@example.test');
    await editor.put(own, { sql: 'CREATE TABLE a (id int)', mode: 'apply' });
    expect((await editor.put(own, { sql: 'CREATE TABLE b (id int)', mode: 'apply' })).json).toMatchObject({
      revision: 2,
      undo_revision: 1,
      redo_revision: null,
    });
    expect((await editor.post(`${own}/restore`, { revision: 1, base_revision: 1 })).json).toMatchObject({
      code: 'schema.stale_base',
    });
    expect(await editor.post(`${own}/restore`, { revision: 1, base_revision: 2 })).toMatchObject({
      status: 200,
      json: { revision: 3, undo_revision: 0, redo_revision: 2 },
    });
    expect((await editor.get(own)).json['sql']).not.toContain('`b`');
    expect((await editor.post(`${own}/restore`, { revision: 2 })).json).toMatchObject({
      revision: 4,
      undo_revision: 1,
      redo_revision: null,
    });
    expect((await editor.get(`${own}/revisions/1`)).json).toMatchObject({ revision: 1, undo_revision: 0 });
    // Nothing has been deployed, so the database runs the empty schema.
    expect((await editor.post(`${own}/restore`, { database: 'development' })).json).toMatchObject({
      revision: 5,
      tables: [],
      undo_revision: 2,
    });
    const listed = (await editor.get(`${own}/revisions?limit=2`)).json;
    expect(listed).toMatchObject({
      items: [
        { revision: 5, restores: 0, deployed_to: [] },
        { revision: 4, restores: 2, statements: '-- Revision 2 again' },
      ],
      next_cursor: '4',
    });
    expect((await editor.get(`${own}/revisions?cursor=4`)).json).toMatchObject({
      items: [
        { revision: 3 },
        { revision: 2, restores: null, by: { name: expect.any(String) as unknown } },
        { revision: 1 },
      ],
      next_cursor: null,
    });
    for (const body of [{}, { revision: 1, database: 'development' }, { revision: -1 }])
      expect((await editor.post(`${own}/restore`, body)).status).toBe(422);
    expect((await editor.post(`${own}/restore`, { revision: 77 })).status).toBe(404);
    for (const wrong of ['77', 'x', '-1'])
      expect((await editor.get(`${own}/revisions/${wrong}`)).status).toBe(404);
  });
  it('draft edits and SQL can be previewed with a plan for a database', async () => {
    const { revision } = (await client.get(path)).json as { revision: number };
    const seen = await client.post(`${path}/preview`, {
      edits: [{ kind: 'create_table', table: 'looks', columns: [{ name: 'id', type: 'int' }] }],
    });
    expect(seen).toMatchObject({
      status: 200,
      json: {
        revision,
        statements: [expect.stringContaining('CREATE TABLE `looks`')],
        plans: [{ environment: 'development' }],
      },
    });
    expect(seen.json['tables'].map((table: { name: string }) => table.name)).toContain('looks');
    expect(
      (await client.post(`${path}/preview`, { sql: 'CREATE TABLE looks (id int)', database: 'production' }))
        .json['plans'],
    ).toMatchObject([{ environment: 'production' }]);
    expect(
      (await client.post(`${path}/preview`, { edits: [{ kind: 'drop_table', table: 'nothing' }] })).status,
    ).toBe(422);
    expect((await client.post(`${path}/preview`, {})).status).toBe(422);
    expect((await client.get(path)).json['revision']).toBe(revision);
  });
  it('GET of a draft table returns the parts that edits use, or similar names if unknown', async () => {
    await client.put(path, { sql: 'CREATE TABLE described (id int)', mode: 'apply' });
    expect((await client.get(`${path}/tables/described`)).json).toMatchObject({
      name: 'described',
      kind: 'table',
      foreign_keys: [],
      referenced_by: [],
      checks: [],
    });
    expect(await client.get(`${path}/tables/describe`)).toMatchObject({
      status: 404,
      json: { hint: 'Did you mean described?' },
    });
  });
  it('editing a draft is rejected for outsiders and viewers', async () => {
    const outsider = new TestClient(plane.app);
    await outsider.signUp('nosy@example.test', { starter: 'empty' });
    expect((await outsider.post(`${path}/preview`, { sql: '' })).status).toBe(404);
    for (const codePath of ['edits', 'requests', 'restore'])
      expect(
        (
          await outsider.post(`${path}/${codePath}`, {
            edits: [{ kind: 'drop_table', table: 'notes' }],
            request: 'x',
            revision: 0,
          })
        ).status,
      ).toBe(404);
    for (const codePath of ['revisions', 'revisions/1', 'tables/notes'])
      expect((await outsider.get(`${path}/${codePath}`)).status).toBe(404);
  });
});

describe('drafts with a language model', () => {
  let plane: TestControlPlane;
  let model: ModelServer;
  let client: TestClient;
  let path: string;
  beforeAll(async () => {
    model = await startModelServer();
    plane = await startTestControlPlane({
      LLM_BASE_URL: model.url,
      LLM_API_KEY: 'model-secret',
      LLM_MODEL: 'tiny',
    });
    ({ client, path } = await openProject(plane, 'asker@example.test'));
    await client.put(path, { sql: 'CREATE TABLE books (id int)' });
  }, 60_000);
  afterAll(async () => {
    await plane?.stop();
    await model?.stop();
  });
  const sendRequest = (request: string) => client.post(`${path}/requests`, { request });

  it('the SQL of a language model is tested before it is shown', async () => {
    model.play([{ content: '```sql\nCREATE TABLE authors (id int);\n```' }]);
    expect(await sendRequest('who wrote them?')).toMatchObject({
      status: 200,
      json: {
        source: 'model',
        sql: 'CREATE TABLE authors (id int);',
        statements: [expect.stringContaining('authors')],
      },
    });
    const [{ authorization, body }] = model.asked.slice(-1) as [RecordedModelCall];
    expect(authorization).toBe('Bearer model-secret');
    expect(body.messages[0]?.content).toContain('CREATE TABLE `books`');
    expect((await client.get(path)).json['revision']).toBe(1);
  });
  it('a language model that cannot answer or returns invalid SQL is reported', async () => {
    model.play([{ content: 'UNABLE: that is a poem.' }]);
    expect(await sendRequest('a poem')).toMatchObject({
      status: 422,
      json: {
        code: 'schema.not_understood',
        detail: [{ msg: 'The language model could not write this change: that is a poem.' }],
      },
    });
    model.play([{ content: 'GRANT ALL' }]);
    plane.worker.failures.set('plan_schema', {
      code: 'schema.statement_not_allowed',
      detail: 'GRANT is not supported',
    });
    expect(await sendRequest('rights')).toMatchObject({ status: 502, json: { code: 'llm.bad_output' } });
    plane.worker.failures.clear();
    model.play([{ content: 'CREATE TAB', finish: 'length' }]);
    expect((await sendRequest('much')).json['code']).toBe('llm.truncated');
  });
  it('built-in sentences change a draft while the language model is unreachable', async () => {
    model.play([{ status: 500 }]);
    expect((await sendRequest('a table shelves with name')).json).toMatchObject({ source: 'rules' });
  });
});
