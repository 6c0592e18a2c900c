import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetQuestions } from './modules/sweeper.js';
import { startTestControlPlane, type TestControlPlane } from './testing/start-test-control-plane.js';
import { TestClient, type TestAnswer } from './testing/test-client.js';

let plane: TestControlPlane;
let owner: TestClient;
let viewer: TestClient;
let stranger: TestClient;
let databaseId: string;
let foreignId: string;

const idOf = (answer: TestAnswer): string => (answer.json['databases'] as { id: string; environment: string }[]).find((row) => row.environment === 'development')?.id ?? '';
const roadOf = (id: string): string => `/api/databases/${id}`;

/** Inserts a row as a gateway does. */
async function log(id: string, to: string, more: Partial<{ at: string; question: string; sql: string | null; source: string; code: string }> = {}): Promise<void> {
  const row = { at: '2026-11-21 10:00:00.000', question: 'how many posts?', sql: 'SELECT COUNT(*) AS n FROM posts', source: 'llm', code: '', ...more };
  await plane.db.cell.query(
    `INSERT INTO question_log (id, cell_id, database_id, key_id, at, question, sql_text, source, code, duration_ms, tokens, repairs, request_id)
     VALUES (?, ?, ?, 'key_a', IF(? = 'now', UTC_TIMESTAMP(3), ?), ?, ?, ?, ?, 12, 120, 1, 'req_a')`,
    [id, plane.config.cellId, to, row.at, row.at === 'now' ? '2026-01-01 00:00:00' : row.at, row.question, row.sql, row.source, row.code],
  );
}

beforeAll(async () => {
  plane = await startTestControlPlane();
  [owner, viewer, stranger] = [new TestClient(plane.app), new TestClient(plane.app), new TestClient(plane.app)];
  const signup = await owner.signUp('asker@example.test');
  databaseId = idOf(signup);
  const organizationId = signup.json['project'].organization_id as string;
  const invited = await owner.post(`/api/organizations/${organizationId}/invitations`, { email: 'looker@example.test', role: 'viewer' });
  await viewer.signUp('looker@example.test', { invitation: invited.json['token'], starter: 'empty' });
  foreignId = idOf(await stranger.signUp('elsewhere@example.test'));
}, 60_000);
afterAll(() => plane?.stop());
beforeEach(async () => {
  for (const table of ['question_log', 'accepted_question', 'saved_query', 'model_use_day']) await plane.db.cell.query(`DELETE FROM ${table}`);
});

describe('the question history', () => {
  it('it is listed newest first in pages, for members only', async () => {
    for (let index = 0; index < 5; index += 1) await log(`qst_a${index}`, databaseId, { at: `2026-11-21 10:00:0${index >> 1}.000` });
    await log('qst_other', foreignId, { at: '2026-11-21 11:00:00.000' });
    const first = await viewer.get(`${roadOf(databaseId)}/questions?limit=3`);
    expect(first.json['items'].map((item: { id: string }) => item.id)).toEqual(['qst_a4', 'qst_a3', 'qst_a2']);
    const rest = await viewer.get(`${roadOf(databaseId)}/questions?limit=3&cursor=${first.json['next_cursor']}`);
    expect(rest.json).toMatchObject({ items: [{ id: 'qst_a1' }, { id: 'qst_a0' }], next_cursor: null });
    expect(first.json['items'][0]).toMatchObject({ question: 'how many posts?', sql: 'SELECT COUNT(*) AS n FROM posts', source: 'llm', code: null, tokens: 120, repairs: 1, verdict: null });
    expect((await owner.get(`${roadOf(databaseId)}/questions?cursor=nonsense`)).json['items']).toEqual([]);
    expect((await stranger.get(`${roadOf(databaseId)}/questions`)).status).toBe(404);
    expect((await new TestClient(plane.app).get(`${roadOf(databaseId)}/questions`)).status).toBe(401);
  });

  it('it is deleted after 30 days, together with what its database left behind', async () => {
    await log('qst_new', databaseId, { at: 'now' });
    await log('qst_old', databaseId, { at: '2020-01-01 00:00:00.000' });
    await forgetQuestions(plane.db);
    expect(await plane.db.cell.query('SELECT id FROM question_log')).toEqual([{ id: 'qst_new' }]);
  });
});

describe('feedback', () => {
  const judge = (id: string, body: unknown, client = owner, to = databaseId): Promise<TestAnswer> => client.post(`${roadOf(to)}/questions/${id}/feedback`, body);
  const accepted = async (): Promise<unknown> => plane.db.cell.query('SELECT database_id, question, sql_text FROM accepted_question');

  it('an accepted answer is stored, with better SQL if it is sent', async () => {
    await log('qst_a', databaseId);
    expect(await judge('qst_a', { verdict: 'accepted' })).toMatchObject({ status: 200, json: { id: 'qst_a', verdict: 'accepted' } });
    expect(await accepted()).toEqual([{ database_id: databaseId, question: 'how many posts?', sql_text: 'SELECT COUNT(*) AS n FROM posts' }]);
    await judge('qst_a', { verdict: 'accepted', sql: 'SELECT COUNT(id) AS n FROM posts' });
    expect(await accepted()).toEqual([{ database_id: databaseId, question: 'how many posts?', sql_text: 'SELECT COUNT(id) AS n FROM posts' }]);
    expect((await judge('qst_a', { verdict: 'rejected' })).json).toMatchObject({ verdict: 'rejected' });
    expect(await accepted()).toEqual([]);
  });

  it('SQL that the query endpoint would not run is rejected', async () => {
    await log('qst_none', databaseId, { sql: null, source: '', code: 'llm.bad_output' });
    expect(await judge('qst_none', { verdict: 'accepted' })).toMatchObject({ status: 422, json: { code: 'body.invalid' } });
    for (const [sql, code] of [['DELETE FROM posts', 'query.not_allowed'], ['SELECT * FROM nowhere', 'query.unknown_table'], ['SELECT * FROM mysql.user', 'query.not_allowed'], ['SHOW TABLES', 'query.not_allowed'], ['what?', 'query.invalid_sql']]) {
      expect((await judge('qst_none', { verdict: 'accepted', sql })).json, sql).toMatchObject({ code });
    }
    expect(await judge('qst_none', { verdict: 'maybe' })).toMatchObject({ status: 422 });
    expect(await accepted()).toEqual([]);
  });

  it('it is for developers, and reaches no question of another tenant', async () => {
    await log('qst_a', databaseId);
    await log('qst_theirs', foreignId);
    expect(await judge('qst_a', { verdict: 'accepted' }, viewer)).toMatchObject({ status: 403, json: { code: 'auth.role' } });
    expect((await judge('qst_a', { verdict: 'accepted' }, stranger)).status).toBe(404);
    // A path with the stranger's own database does not help either.
    expect((await judge('qst_a', { verdict: 'accepted' }, stranger, foreignId)).status).toBe(404);
    expect((await judge('qst_theirs', { verdict: 'accepted' })).status).toBe(404);
    expect(await accepted()).toEqual([]);
  });

  it('a pair can be accepted without a question of the history, listed and removed', async () => {
    const road = `${roadOf(databaseId)}/accepted-questions`;
    const made = await owner.post(road, { question: 'Who writes?', sql: 'SELECT username FROM users' });
    expect(made).toMatchObject({ status: 201, json: { question: 'Who writes?' } });
    await owner.post(road, { question: '  who  WRITES? ', sql: 'SELECT email FROM users' });
    expect((await viewer.get(road)).json['items']).toMatchObject([{ id: made.json['id'], sql: 'SELECT email FROM users' }]);
    expect((await viewer.post(road, { question: 'x', sql: 'SELECT 1' })).status).toBe(403);
    expect((await stranger.get(road)).status).toBe(404);
    expect((await stranger.delete(`${roadOf(foreignId)}/accepted-questions/${made.json['id']}`)).status).toBe(404);
    expect((await viewer.delete(`${road}/${made.json['id']}`)).status).toBe(403);
    expect((await owner.delete(`${road}/${made.json['id']}`)).status).toBe(204);
    expect((await owner.delete(`${road}/${made.json['id']}`)).status).toBe(404);
  });
});

describe('saved queries', () => {
  const road = (id = databaseId): string => `${roadOf(id)}/saved-queries`;

  it('developers create, change, list and delete them, and viewers read them', async () => {
    const made = await owner.post(road(), { name: 'Counts', query: 'how many posts?' });
    expect(made).toMatchObject({ status: 201, json: { name: 'Counts', kind: 'question' } });
    await owner.post(road(), { name: 'All', query: 'SELECT * FROM posts', kind: 'sql' });
    expect((await viewer.get(road())).json['items'].map((item: { name: string }) => item.name)).toEqual(['All', 'Counts']);
    expect(await owner.post(road(), { name: 'All', query: 'x' })).toMatchObject({ status: 409, json: { code: 'resource.conflict' } });
    expect((await owner.patch(`${road()}/${made.json['id']}`, { name: 'All' })).status).toBe(409);
    expect((await owner.patch(`${road()}/${made.json['id']}`, { query: 'SELECT 1', kind: 'sql' })).json).toMatchObject({ name: 'Counts', query: 'SELECT 1', kind: 'sql' });
    for (const status of [(await viewer.post(road(), { name: 'x', query: 'y' })).status, (await viewer.patch(`${road()}/${made.json['id']}`, { name: 'x' })).status, (await viewer.delete(`${road()}/${made.json['id']}`)).status]) expect(status).toBe(403);
    expect((await owner.delete(`${road()}/${made.json['id']}`)).status).toBe(204);
    expect((await owner.get(road())).json['items']).toHaveLength(1);
  });

  it('another tenant cannot reach them with any database in the path', async () => {
    const made = await owner.post(road(), { name: 'Ours', query: 'SELECT 1', kind: 'sql' });
    const id = made.json['id'] as string;
    for (const base of [databaseId, foreignId]) {
      expect((await stranger.patch(`${road(base)}/${id}`, { name: 'Theirs' })).status).toBe(404);
      expect((await stranger.delete(`${road(base)}/${id}`)).status).toBe(404);
    }
    expect((await stranger.get(road())).status).toBe(404);
    expect((await stranger.get(road(foreignId))).json['items']).toEqual([]);
    // The same name in another database is another query.
    expect((await stranger.post(road(foreignId), { name: 'Ours', query: 'SELECT 2' })).status).toBe(201);
    expect((await owner.get(road())).json['items']).toMatchObject([{ id, name: 'Ours' }]);
  });
});

it('the daily use of the language model is shown to members only', async () => {
  const [row] = await plane.db.cell.query<{ project_id: string }[]>('SELECT project_id FROM tenant_database WHERE id = ?', [databaseId]);
  await plane.db.cell.query("INSERT INTO model_use_day VALUES (?, ?, '2026-11-20', ?, 3, 4, 500, 60, 1, 0)", [plane.config.cellId, row?.project_id, databaseId]);
  expect((await viewer.get(`${roadOf(databaseId)}/model-usage`)).json['items']).toEqual([{ day: '2026-11-20', questions: 3, requests: 4, tokens_in: 500, tokens_out: 60, repairs: 1, failures: 0 }]);
  expect((await stranger.get(`${roadOf(databaseId)}/model-usage`)).status).toBe(404);
  expect((await stranger.get(`${roadOf(foreignId)}/model-usage`)).json['items']).toEqual([]);
});

it('the settings of questions can be changed', async () => {
  const changed = await owner.patch(roadOf(databaseId), { settings: { language_model: false, language_model_tokens_per_day: 1_000, question_history: false } });
  expect(changed.json['settings']).toMatchObject({ language_model: false, language_model_tokens_per_day: 1_000, question_history: false });
});
