import type { Column, Snapshot } from '@rowhouse/schema-model';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../../testing/test-client.js';

let plane: TestControlPlane;
let owner: TestClient;
let outsider: TestClient;
let viewer: TestClient;
let projectId: string;
let databaseIds: string[];

beforeAll(async () => {
  plane = await startTestControlPlane();
  owner = new TestClient(plane.app);
  const signup = await owner.signUp('words@example.test');
  projectId = signup.json['project']?.id;
  databaseIds = signup.json['databases'].map((row: { id: string }) => row.id);
  outsider = new TestClient(plane.app);
  await outsider.signUp('stranger@example.test');
  viewer = new TestClient(plane.app);
  await viewer.signUp('viewer@example.test');
  const organizationId = signup.json['organization']?.id;
  const invitation = await owner.post(`/api/organizations/${organizationId}/invitations`, {
    email: 'viewer@example.test',
    role: 'viewer',
  });
  await giveColumns(['id', 'username', 'email', 'bio']);
  expect(
    (await viewer.post('/api/invitations/accept', { token: invitation.json['token'] })).status,
  ).toBeLessThan(300);
}, 60_000);
afterAll(() => plane?.stop());

/** Inserts columns, because the scripted worker only knows tables. */
async function giveColumns(names: readonly string[]): Promise<void> {
  const [row] = await plane.db.cell.query<{ snapshot: string }[]>(
    'SELECT snapshot FROM working_schema WHERE project_id = ? ORDER BY revision DESC LIMIT 1',
    [projectId],
  );
  const snapshot = JSON.parse(row?.snapshot ?? '') as Snapshot;
  const wide = {
    ...snapshot,
    tables: snapshot.tables.map((table) => ({
      ...table,
      columns: names.map((name) => ({ name }) as Column),
    })),
  };
  const { contentHash, body } = await encodeSnapshot(wide);
  await plane.db.cell.query('UPDATE working_schema SET snapshot = ? WHERE project_id = ?', [
    JSON.stringify(wide),
    projectId,
  ]);
  await plane.db.cell.query(
    'INSERT INTO snapshot_content (content_hash, cell_id, body, created_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))',
    [contentHash, plane.db.cellId, body],
  );
  await plane.db.cell.query('UPDATE tenant_database SET snapshot_hash = ? WHERE project_id = ?', [
    contentHash,
    projectId,
  ]);
}

const path = (rest = ''): string => `/api/projects/${projectId}/synonyms${rest}`;
const entriesOf = async (kind: string): Promise<string[]> =>
  (
    await plane.db.cell.query<{ database_id: string }[]>(
      'SELECT database_id FROM change_log WHERE kind = ? ORDER BY seq',
      [kind],
    )
  ).map((row) => row.database_id);

describe('synonyms', () => {
  it('a change of synonyms adds a change log entry for every database of the project', async () => {
    const created = await owner.post(path(), { phrase: '  Blog  Article ', table: 'posts' });
    expect(created).toMatchObject({
      status: 201,
      json: { phrase: 'blog article', table: 'posts', column: null, is_known: true },
    });
    expect((await entriesOf('words')).sort()).toEqual([...databaseIds].sort());
    const changed = await owner.patch(path(`/${created.json['id']}`), { table: 'users', column: 'username' });
    expect(changed).toMatchObject({
      status: 200,
      json: { phrase: 'blog article', table: 'users', column: 'username' },
    });
    expect((await viewer.get(path())).json['items']).toMatchObject([
      { id: created.json['id'], phrase: 'blog article', column: 'username' },
    ]);
    expect((await owner.delete(path(`/${created.json['id']}`))).status).toBe(204);
    expect((await owner.get(path())).json['items']).toEqual([]);
    expect(await entriesOf('words')).toHaveLength(databaseIds.length * 3);
    const audit = await owner.get(`/api/projects/${projectId}/audit`);
    expect(audit.json['items'].map((item: { action: string }) => item.action)).toEqual(
      expect.arrayContaining(['synonym.create', 'synonym.update', 'synonym.delete']),
    );
  });

  it('a synonym for an unknown column and a repeated synonym are rejected', async () => {
    const cases: [unknown, string, string][] = [
      [{ phrase: 'folk', table: 'userz' }, 'unknown_table', 'Did you mean users?'],
      [{ phrase: 'folk', table: 'users', column: 'usernam' }, 'unknown_column', 'Did you mean username?'],
    ];
    for (const [body, type, hint] of cases)
      expect(await owner.post(path(), body)).toMatchObject({
        status: 422,
        json: { detail: [{ type }], hint },
      });
    for (const body of [
      {},
      { phrase: '', table: 'users' },
      { phrase: '123', table: 'users' },
      { phrase: 'one two three four five six', table: 'users' },
      { phrase: 'x'.repeat(81), table: 'users' },
      { phrase: 'x', table: 'users', more: 1 },
    ]) {
      expect((await owner.post(path(), body)).status, JSON.stringify(body)).toBe(422);
    }
    expect((await owner.post(path(), { phrase: 'folk', table: 'users' })).status).toBe(201);
    expect(await owner.post(path(), { phrase: 'FOLK', table: 'users' })).toMatchObject({
      status: 409,
      json: { code: 'resource.conflict' },
    });
    expect((await owner.post(path(), { phrase: 'folk', table: 'posts' })).status).toBe(201);
  });

  it('a synonym is marked as unknown when its target is removed from the working schema', async () => {
    await plane.db.cell.query(
      `UPDATE synonym SET table_name = 'gone' WHERE project_id = ? AND table_name = 'posts'`,
      [projectId],
    );
    const items = (await owner.get(path())).json['items'] as { table: string; is_known: boolean }[];
    expect(items.map((item) => `${item.table} ${item.is_known}`).sort()).toEqual([
      'gone false',
      'users true',
    ]);
  });

  it('synonyms are hidden from outsiders and read-only for viewers', async () => {
    const [first] = (await owner.get(path())).json['items'] as { id: string }[];
    const calls: ((client: TestClient) => Promise<TestResponse>)[] = [
      (client) => client.post(path(), { phrase: 'mine', table: 'users' }),
      (client) => client.patch(path(`/${first?.id}`), { phrase: 'mine' }),
      (client) => client.delete(path(`/${first?.id}`)),
    ];
    for (const call of calls) {
      expect((await call(outsider)).status).toBe(404);
      expect(await call(viewer)).toMatchObject({ status: 403, json: { code: 'auth.role' } });
    }
    expect((await outsider.get(path())).status).toBe(404);
    expect((await new TestClient(plane.app).get(path())).status).toBe(401);
    // The synonym is not found under another project.
    const own = (await outsider.get('/api/projects')).json['items'][0] as { id: string };
    expect((await outsider.delete(`/api/projects/${own.id}/synonyms/${first?.id}`)).status).toBe(404);
  });
});

describe('the value index of a database', () => {
  it('hiding or excluding a column requests an update of the value index', async () => {
    const [databaseId] = databaseIds as [string];
    expect((await viewer.get(`/api/databases/${databaseId}/value-index`)).json).toEqual({
      checked_at: null,
      version: 0,
      columns: 0,
      values: 0,
      bytes: 0,
    });
    expect((await outsider.get(`/api/databases/${databaseId}/value-index`)).status).toBe(404);
    await plane.db.cell.query(
      'INSERT INTO value_index (database_id, cell_id, version, checked_at, columns_count, values_count, bytes) VALUES (?, ?, 3, UTC_TIMESTAMP(3), 2, 30, 400)',
      [databaseId, plane.db.cellId],
    );
    expect((await viewer.get(`/api/databases/${databaseId}/value-index`)).json).toEqual({
      checked_at: expect.stringMatching(/Z$/),
      version: 3,
      columns: 2,
      values: 30,
      bytes: 400,
    });
    for (const settings of [
      { unindexed_columns: { users: ['email'] } },
      { hidden_columns: { users: ['bio'] } },
    ]) {
      await plane.db.cell.query('UPDATE value_index SET due_at = NULL');
      expect(
        (await owner.patch(`/api/databases/${databaseId}`, { settings })).json['settings'],
      ).toMatchObject(settings);
      expect(
        await plane.db.cell.query('SELECT database_id FROM value_index WHERE due_at <= UTC_TIMESTAMP(3)'),
      ).toEqual([{ database_id: databaseId }]);
    }
    const wrong = await owner.patch(`/api/databases/${databaseId}`, {
      settings: { unindexed_columns: { users: ['emial'] } },
    });
    expect(wrong).toMatchObject({
      status: 422,
      json: {
        detail: [{ loc: ['body', 'settings', 'unindexed_columns', 'users'], type: 'unknown_column' }],
        hint: 'Did you mean email?',
      },
    });
  });
});
