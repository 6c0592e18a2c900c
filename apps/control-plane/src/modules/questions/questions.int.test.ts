import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteOldQuestions } from '../sweeper.js';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../../testing/test-client.js';

let plane: TestControlPlane;
let owner: TestClient;
let viewer: TestClient;
let outsider: TestClient;
let databaseId: string;
let foreignId: string;

const idOf = (answer: TestResponse): string =>
  (answer.json['databases'] as { id: string; environment: string }[]).find(
    (row) => row.environment === 'development',
  )?.id ?? '';
const codePathOf = (id: string): string => `/api/databases/${id}`;

/** Inserts a row as a gateway does. */
async function log(
  id: string,
  to: string,
  more: Partial<{ at: string; question: string; sql: string | null; source: string; code: string }> = {},
): Promise<void> {
  const row = {
    at: '2026-11-21 10:00:00.000',
    question: 'how many posts?',
    sql: 'SELECT COUNT(*) AS n FROM posts',
    source: 'llm',
    code: '',
    ...more,
  };
  await plane.db.cell.query(
    `INSERT INTO question_log (id, cell_id, database_id, key_id, at, question, sql_text, source, code, duration_ms, tokens, repairs, request_id)
     VALUES (?, ?, ?, 'key_a', IF(? = 'now', UTC_TIMESTAMP(3), ?), ?, ?, ?, ?, 12, 120, 1, 'req_a')`,
    [
      id,
      plane.config.cellId,
      to,
      row.at,
      row.at === 'now' ? '2026-01-01 00:00:00' : row.at,
      row.question,
      row.sql,
      row.source,
      row.code,
    ],
  );
}

beforeAll(async () => {
  plane = await startTestControlPlane();
  [owner, viewer, outsider] = [
    new TestClient(plane.app),
    new TestClient(plane.app),
    new TestClient(plane.app),
  ];
  const signup = await owner.signUp('asker@example.test');
  databaseId = idOf(signup);
  const organizationId = signup.json['project'].organization_id as string;
  const invited = await owner.post(`/api/organizations/${organizationId}/invitations`, {
    email: 'looker@example.test',
    role: 'viewer',
  });
  await viewer.signUp('looker@example.test', { invitation: invited.json['token'], starter: 'empty' });
  foreignId = idOf(await outsider.signUp('elsewhere@example.test'));
}, 60_000);
afterAll(() => plane?.stop());
beforeEach(async () => {
  for (const table of ['question_log', 'accepted_question', 'saved_query', 'model_use_day'])
    await plane.db.cell.query(`DELETE FROM ${table}`);
});

describe('the question history', () => {
  it('the question history is listed newest first in pages, for members only', async () => {
    for (let index = 0; index < 5; index += 1)
      await log(`qst_a${index}`, databaseId, { at: `2026-11-21 10:00:0${index >> 1}.000` });
    await log('qst_other', foreignId, { at: '2026-11-21 11:00:00.000' });
    const first = await viewer.get(`${codePathOf(databaseId)}/questions?limit=3`);
    expect(first.json['items'].map((item: { id: string }) => item.id)).toEqual([
      'qst_a4',
      'qst_a3',
      'qst_a2',
    ]);
    const rest = await viewer.get(
      `${codePathOf(databaseId)}/questions?limit=3&cursor=${first.json['next_cursor']}`,
    );
    expect(rest.json).toMatchObject({ items: [{ id: 'qst_a1' }, { id: 'qst_a0' }], next_cursor: null });
    expect(first.json['items'][0]).toMatchObject({
      question: 'how many posts?',
      sql: 'SELECT COUNT(*) AS n FROM posts',
      source: 'llm',
      code: null,
      tokens: 120,
      repairs: 1,
      verdict: null,
    });
    expect((await owner.get(`${codePathOf(databaseId)}/questions?cursor=nonsense`)).json['items']).toEqual(
      [],
    );
    expect((await outsider.get(`${codePathOf(databaseId)}/questions`)).status).toBe(404);
    expect((await new TestClient(plane.app).get(`${codePathOf(databaseId)}/questions`)).status).toBe(401);
  });

  it('the question history is deleted after 30 days', async () => {
    await log('qst_new', databaseId, { at: 'now' });
    await log('qst_old', databaseId, { at: '2020-01-01 00:00:00.000' });
    await deleteOldQuestions(plane.db);
    expect(await plane.db.cell.query('SELECT id FROM question_log')).toEqual([{ id: 'qst_new' }]);
  });
});

describe('feedback', () => {
  const judge = (id: string, body: unknown, client = owner, to = databaseId): Promise<TestResponse> =>
    client.post(`${codePathOf(to)}/questions/${id}/feedback`, body);
  const accepted = async (): Promise<unknown> =>
    plane.db.cell.query('SELECT database_id, question, sql_text FROM accepted_question');

  it('accepting the response to a question stores its SQL, or the corrected SQL if sent', async () => {
    await log('qst_a', databaseId);
    expect(await judge('qst_a', { verdict: 'accepted' })).toMatchObject({
      status: 200,
      json: { id: 'qst_a', verdict: 'accepted' },
    });
    expect(await accepted()).toEqual([
      { database_id: databaseId, question: 'how many posts?', sql_text: 'SELECT COUNT(*) AS n FROM posts' },
    ]);
    await judge('qst_a', { verdict: 'accepted', sql: 'SELECT COUNT(id) AS n FROM posts' });
    expect(await accepted()).toEqual([
      { database_id: databaseId, question: 'how many posts?', sql_text: 'SELECT COUNT(id) AS n FROM posts' },
    ]);
    expect((await judge('qst_a', { verdict: 'rejected' })).json).toMatchObject({ verdict: 'rejected' });
    expect(await accepted()).toEqual([]);
  });

  it('feedback with SQL that the query endpoint would not run is rejected', async () => {
    await log('qst_none', databaseId, { sql: null, source: '', code: 'llm.bad_output' });
    expect(await judge('qst_none', { verdict: 'accepted' })).toMatchObject({
      status: 422,
      json: { code: 'body.invalid' },
    });
    for (const [sql, code] of [
      ['DELETE FROM posts', 'query.not_allowed'],
      ['SELECT * FROM nowhere', 'query.unknown_table'],
      ['SELECT * FROM mysql.user', 'query.not_allowed'],
      ['SHOW TABLES', 'query.not_allowed'],
      ['what?', 'query.invalid_sql'],
    ]) {
      expect((await judge('qst_none', { verdict: 'accepted', sql })).json, sql).toMatchObject({ code });
    }
    expect(await judge('qst_none', { verdict: 'maybe' })).toMatchObject({ status: 422 });
    expect(await accepted()).toEqual([]);
  });

  it('feedback needs the role developer and reaches no question of another tenant', async () => {
    await log('qst_a', databaseId);
    await log('qst_theirs', foreignId);
    expect(await judge('qst_a', { verdict: 'accepted' }, viewer)).toMatchObject({
      status: 403,
      json: { code: 'auth.role' },
    });
    expect((await judge('qst_a', { verdict: 'accepted' }, outsider)).status).toBe(404);
    // A path that contains the outsider's own database does not give access to this question either.
    expect((await judge('qst_a', { verdict: 'accepted' }, outsider, foreignId)).status).toBe(404);
    expect((await judge('qst_theirs', { verdict: 'accepted' })).status).toBe(404);
    expect(await accepted()).toEqual([]);
  });

  it('an accepted question can be added without history, listed and removed', async () => {
    const codePath = `${codePathOf(databaseId)}/accepted-questions`;
    const created = await owner.post(codePath, {
      question: 'Who writes?',
      sql: 'SELECT username FROM users',
    });
    expect(created).toMatchObject({ status: 201, json: { question: 'Who writes?' } });
    await owner.post(codePath, { question: '  who  WRITES? ', sql: 'SELECT email FROM users' });
    expect((await viewer.get(codePath)).json['items']).toMatchObject([
      { id: created.json['id'], sql: 'SELECT email FROM users' },
    ]);
    expect((await viewer.post(codePath, { question: 'x', sql: 'SELECT 1' })).status).toBe(403);
    expect((await outsider.get(codePath)).status).toBe(404);
    expect(
      (await outsider.delete(`${codePathOf(foreignId)}/accepted-questions/${created.json['id']}`)).status,
    ).toBe(404);
    expect((await viewer.delete(`${codePath}/${created.json['id']}`)).status).toBe(403);
    expect((await owner.delete(`${codePath}/${created.json['id']}`)).status).toBe(204);
    expect((await owner.delete(`${codePath}/${created.json['id']}`)).status).toBe(404);
  });
});

describe('saved queries', () => {
  const codePath = (id = databaseId): string => `${codePathOf(id)}/saved-queries`;

  it('developers manage saved queries, and viewers read them', async () => {
    const created = await owner.post(codePath(), { name: 'Counts', query: 'how many posts?' });
    expect(created).toMatchObject({ status: 201, json: { name: 'Counts', kind: 'question' } });
    await owner.post(codePath(), { name: 'All', query: 'SELECT * FROM posts', kind: 'sql' });
    expect((await viewer.get(codePath())).json['items'].map((item: { name: string }) => item.name)).toEqual([
      'All',
      'Counts',
    ]);
    expect(await owner.post(codePath(), { name: 'All', query: 'x' })).toMatchObject({
      status: 409,
      json: { code: 'resource.conflict' },
    });
    expect((await owner.patch(`${codePath()}/${created.json['id']}`, { name: 'All' })).status).toBe(409);
    expect(
      (await owner.patch(`${codePath()}/${created.json['id']}`, { query: 'SELECT 1', kind: 'sql' })).json,
    ).toMatchObject({ name: 'Counts', query: 'SELECT 1', kind: 'sql' });
    for (const status of [
      (await viewer.post(codePath(), { name: 'x', query: 'y' })).status,
      (await viewer.patch(`${codePath()}/${created.json['id']}`, { name: 'x' })).status,
      (await viewer.delete(`${codePath()}/${created.json['id']}`)).status,
    ])
      expect(status).toBe(403);
    expect((await owner.delete(`${codePath()}/${created.json['id']}`)).status).toBe(204);
    expect((await owner.get(codePath())).json['items']).toHaveLength(1);
  });

  it('another tenant cannot reach saved queries through any database in the path', async () => {
    const created = await owner.post(codePath(), { name: 'Ours', query: 'SELECT 1', kind: 'sql' });
    const id = created.json['id'] as string;
    for (const base of [databaseId, foreignId]) {
      expect((await outsider.patch(`${codePath(base)}/${id}`, { name: 'Theirs' })).status).toBe(404);
      expect((await outsider.delete(`${codePath(base)}/${id}`)).status).toBe(404);
    }
    expect((await outsider.get(codePath())).status).toBe(404);
    expect((await outsider.get(codePath(foreignId))).json['items']).toEqual([]);
    // The same name in another database refers to another query.
    expect((await outsider.post(codePath(foreignId), { name: 'Ours', query: 'SELECT 2' })).status).toBe(201);
    expect((await owner.get(codePath())).json['items']).toMatchObject([{ id, name: 'Ours' }]);
  });
});

it('the daily use of the language model is shown to members only', async () => {
  const [row] = await plane.db.cell.query<{ project_id: string }[]>(
    'SELECT project_id FROM tenant_database WHERE id = ?',
    [databaseId],
  );
  await plane.db.cell.query("INSERT INTO model_use_day VALUES (?, ?, '2026-11-20', ?, 3, 4, 500, 60, 1, 0)", [
    plane.config.cellId,
    row?.project_id,
    databaseId,
  ]);
  expect((await viewer.get(`${codePathOf(databaseId)}/model-usage`)).json['items']).toEqual([
    { day: '2026-11-20', questions: 3, requests: 4, tokens_in: 500, tokens_out: 60, repairs: 1, failures: 0 },
  ]);
  expect((await outsider.get(`${codePathOf(databaseId)}/model-usage`)).status).toBe(404);
  expect((await outsider.get(`${codePathOf(foreignId)}/model-usage`)).json['items']).toEqual([]);
});

it('the settings of questions can be changed', async () => {
  const changed = await owner.patch(codePathOf(databaseId), {
    settings: { language_model: false, language_model_tokens_per_day: 1_000, question_history: false },
  });
  expect(changed.json['settings']).toMatchObject({
    language_model: false,
    language_model_tokens_per_day: 1_000,
    question_history: false,
  });
});
