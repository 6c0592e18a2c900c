import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../../testing/test-client.js';

let plane: TestControlPlane;
let owner: TestClient;
let outsider: TestClient;
const members: Record<string, TestClient> = {};
let projectId: string;
let databaseIds: string[];

beforeAll(async () => {
  plane = await startTestControlPlane();
  owner = new TestClient(plane.app);
  const signup = await owner.signUp('models@example.test');
  projectId = signup.json['project']?.id;
  databaseIds = signup.json['databases'].map((row: { id: string }) => row.id);
  outsider = new TestClient(plane.app);
  await outsider.signUp('stranger@example.test');
  for (const role of ['admin', 'developer', 'viewer']) {
    const member = new TestClient(plane.app);
    await member.signUp(`${role}@example.test`);
    const invitation = await owner.post(`/api/organizations/${signup.json['organization']?.id}/invitations`, {
      email: `${role}@example.test`,
      role,
    });
    expect(
      (await member.post('/api/invitations/accept', { token: invitation.json['token'] })).status,
    ).toBeLessThan(300);
    members[role] = member;
  }
}, 60_000);
afterAll(() => plane?.stop());

const KEY = 'sk-never-shown-7d1e';
const MODEL = { base_url: 'https://models.example.com/v1', model: 'small-coder', api_key: KEY };
const path = (): string => `/api/projects/${projectId}/language-model`;
const put = (body: object, by = owner): Promise<TestResponse> => by.put(path(), body);
const as = (role: string): TestClient => members[role] ?? owner;
const storedKey = async (): Promise<string | null> =>
  (
    await plane.db.cell.query<{ k: Buffer | null }[]>(
      'SELECT key_sealed AS k FROM project_model WHERE project_id = ?',
      [projectId],
    )
  )[0]?.k?.toString('hex') ?? null;

describe('the language model of a project', () => {
  it('a language model is set, returned without its API key and removed', async () => {
    expect((await owner.get(path())).json).toEqual({
      source: 'none',
      base_url: null,
      model: null,
      has_key: false,
      updated_at: null,
    });
    const versionsOf = async (): Promise<number[]> =>
      (
        await plane.db.cell.query<{ version: number }[]>(
          'SELECT version FROM tenant_database WHERE project_id = ? ORDER BY id',
          [projectId],
        )
      ).map((row) => Number(row.version));
    const [before, seq] = [await versionsOf(), await lastSeq()];
    const set = await put(MODEL);
    expect(set).toMatchObject({
      status: 200,
      json: { source: 'project', base_url: MODEL.base_url, model: MODEL.model, has_key: true },
    });
    expect((await as('viewer').get(path())).json).toEqual(set.json);
    expect((await versionsOf()).map((version, index) => version - (before[index] ?? 0))).toEqual(
      databaseIds.map(() => 1),
    );
    expect(await entriesSince(seq)).toEqual(
      [...databaseIds].sort().map((id) => ({ database_id: id, kind: 'settings' })),
    );
    expect((await owner.delete(path())).status).toBe(204);
    expect((await owner.get(path())).json).toMatchObject({ source: 'none', has_key: false });
    expect((await owner.delete(path())).status).toBe(404);
    const audit = await owner.get(`/api/projects/${projectId}/audit`);
    expect(audit.json['items'].map((item: { action: string }) => item.action)).toEqual(
      expect.arrayContaining(['language_model.set', 'language_model.remove']),
    );
    expect(JSON.stringify([set.json, audit.json])).not.toContain(KEY);
  });

  it('admins set the language model of a project, and members see it', async () => {
    for (const role of ['developer', 'viewer'])
      expect([
        role,
        (await put(MODEL, as(role))).status,
        (await as(role).delete(path())).status,
        (await as(role).get(path())).status,
      ]).toEqual([role, 403, 403, 200]);
    expect([(await outsider.get(path())).status, (await put(MODEL, outsider)).status]).toEqual([404, 404]);
    expect((await put(MODEL, as('admin'))).status).toBe(200);
  });

  it('the API key of a language model is retained for the same address only', async () => {
    await put(MODEL);
    const sealed = await storedKey();
    expect(sealed).not.toContain(Buffer.from(KEY).toString('hex'));
    expect((await put({ base_url: 'https://models.example.com/v2', model: 'other' })).json).toMatchObject({
      has_key: true,
      model: 'other',
    });
    expect(await storedKey()).toBe(sealed);
    expect(await put({ base_url: 'https://elsewhere.example.com/v1', model: 'other' })).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['body', 'api_key'] }] },
    });
    expect((await owner.get(path())).json).toMatchObject({ base_url: 'https://models.example.com/v2' });
    expect(
      (await put({ base_url: 'https://elsewhere.example.com/v1', model: 'other', api_key: null })).json,
    ).toMatchObject({ has_key: false });
    expect(await storedKey()).toBeNull();
  });

  it.each([
    'http://models.example.com/v1',
    'https://127.0.0.1/v1',
    'https://localhost:8080',
    'https://10.0.0.8/v1',
    'https://169.254.169.254/latest',
    'https://[::1]/v1',
    'https://db.internal/v1',
    'https://a:b@models.example.com/v1',
    'ftp://models.example.com',
    'models',
  ])('a language model with a private or malformed address is rejected: %s', async (base_url) => {
    expect(await put({ ...MODEL, base_url })).toMatchObject({
      status: 422,
      json: { code: 'body.invalid', detail: [{ loc: ['body', 'base_url'] }] },
    });
  });

  it('a schema change in plain language uses built-in sentences if the model is unreachable', async () => {
    // The host name does not resolve, so the known sentence forms are used.
    await put({ base_url: 'https://nowhere.invalid/v1', model: 'm', api_key: null });
    const proposal = await owner.post(`/api/projects/${projectId}/schema/requests`, {
      request: 'Add a table ideas with title',
    });
    expect(proposal).toMatchObject({ status: 200, json: { source: 'rules' } });
  });

  it('a language model is removed with the last database of its project', async () => {
    await put(MODEL);
    const { deleteOldQuestions } = await import('../sweeper.js');
    await deleteOldQuestions(plane.db);
    expect((await owner.get(path())).json).toMatchObject({ source: 'project' });
    await plane.db.cell.query("UPDATE tenant_database SET deleted_at = '2020-01-01' WHERE project_id = ?", [
      projectId,
    ]);
    await deleteOldQuestions(plane.db);
    expect(await plane.db.cell.query('SELECT project_id FROM project_model')).toEqual([]);
  });
});

async function lastSeq(): Promise<number> {
  const [row] = await plane.db.cell.query<{ seq: number }[]>(
    'SELECT last_seq AS seq FROM change_log_head WHERE cell_id = ?',
    [plane.db.cellId],
  );
  return Number(row?.seq ?? 0);
}

function entriesSince(seq: number): Promise<{ database_id: string; kind: string }[]> {
  return plane.db.cell.query<{ database_id: string; kind: string }[]>(
    'SELECT database_id, kind FROM change_log WHERE seq > ? ORDER BY database_id',
    [seq],
  );
}
