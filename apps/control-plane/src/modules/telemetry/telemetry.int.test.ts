import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient } from '../../testing/test-client.js';

let plane: TestControlPlane;
let owner: TestClient;
let outsider: TestClient;
let viewer: TestClient;
let databaseId: string;
let otherId: string;
let keyId: string;

async function writeUsage(database: string, minute: string, requests: number): Promise<void> {
  await plane.db.cell.query(
    'INSERT INTO usage_minute (cell_id, database_id, minute, requests, errors, limited, rows_out, bytes_out, duration_us) VALUES (?, ?, ?, ?, 1, 2, ?, ?, ?)',
    [plane.db.cellId, database, minute, requests, requests * 3, requests * 100, requests * 2_500],
  );
}

async function writeLines(
  database: string,
  lines: readonly (readonly [route: string, status: number, code: string, durationUs: number])[],
  key = keyId,
): Promise<void> {
  const values = lines.flatMap(([route, status, code, durationUs]) => [
    plane.db.cellId,
    database,
    key,
    route.split(' ')[0],
    route,
    status,
    code,
    durationUs,
  ]);
  await plane.db.cell.query(
    `INSERT INTO request_log (cell_id, database_id, at, request_id, key_id, method, route, status, code, duration_us, rows_out) VALUES ${lines.map(() => `(?, ?, UTC_TIMESTAMP(3), 'req_x', ?, ?, ?, ?, ?, ?, 1)`).join(',')}`,
    values,
  );
}

beforeAll(async () => {
  plane = await startTestControlPlane();
  owner = new TestClient(plane.app);
  const signup = await owner.signUp('usage@example.test', { starter: 'empty' });
  databaseId = signup.json['databases'][0].id;
  outsider = new TestClient(plane.app);
  otherId = (await outsider.signUp('stranger@example.test', { starter: 'empty' })).json['databases'][0].id;
  viewer = new TestClient(plane.app);
  await viewer.signUp('viewer@example.test', { starter: 'empty' });
  const invitation = await owner.post(`/api/organizations/${signup.json['organization']?.id}/invitations`, {
    email: 'viewer@example.test',
    role: 'viewer',
  });
  await viewer.post('/api/invitations/accept', { token: invitation.json['token'] });
  keyId = (await owner.get(`/api/databases/${databaseId}/keys`)).json['items'][0].id;
}, 60_000);
afterAll(() => plane?.stop());

describe('usage', () => {
  const span = 'from=2026-03-01T00:00:00Z&to=2026-03-03T00:00:00Z';
  const usage = (query: string): ReturnType<TestClient['get']> =>
    owner.get(`/api/databases/${databaseId}/usage?${query}`);

  /** Returns the expected bucket of so many requests as `writeUsage` writes them. */
  const bucketOf = (at: string, requests: number): object => ({
    at,
    requests,
    errors: requests / 2,
    limited: requests,
    rows_out: requests * 3,
    bytes_out: requests * 100,
    mean_ms: 2.5,
  });

  it('usage of a database is summed by minute, hour and day, newest first in pages', async () => {
    for (const minute of [
      '2026-03-01 10:00:00',
      '2026-03-01 10:59:00',
      '2026-03-01 11:00:00',
      '2026-03-02 00:00:00',
    ])
      await writeUsage(databaseId, minute, 2);
    await writeUsage(databaseId, '2026-03-03 00:00:00', 50);
    await writeUsage(otherId, '2026-03-01 10:00:00', 9);
    const byHour = await usage(`${span}&step=hour`);
    expect(byHour.json['items']).toEqual([
      bucketOf('2026-03-02T00:00:00.000Z', 2),
      bucketOf('2026-03-01T11:00:00.000Z', 2),
      bucketOf('2026-03-01T10:00:00.000Z', 4),
    ]);
    expect(byHour.json).toMatchObject({
      next_cursor: null,
      totals: { requests: 8, errors: 4 },
      storage: { bytes: 0, is_full: false },
    });
    expect(
      (await usage(`${span}&step=day`)).json['items'].map((item: { requests: number }) => item.requests),
    ).toEqual([2, 6]);
    const seen: string[] = [];
    for (let cursor: string | null = '2030-01-01T00:00:00Z'; cursor !== null;) {
      const page = await usage(`${span}&step=minute&limit=1&cursor=${cursor}`);
      seen.push(...page.json['items'].map((item: { at: string }) => item.at));
      expect(page.json['totals']).toMatchObject({ requests: 8 });
      cursor = page.json['next_cursor'];
    }
    expect(seen).toEqual([
      '2026-03-02T00:00:00.000Z',
      '2026-03-01T11:00:00.000Z',
      '2026-03-01T10:59:00.000Z',
      '2026-03-01T10:00:00.000Z',
    ]);
  });

  it('usage of an invalid time span is rejected', async () => {
    for (const query of [
      'step=week',
      'from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
      'from=2020-01-01T00:00:00Z&step=minute',
      'from=yesterday',
      'limit=0',
      'more=1',
    ]) {
      expect(await usage(query), query).toMatchObject({ status: 422, json: { code: 'params.invalid' } });
    }
  });
});

describe('the request log', () => {
  const log = (query: string): ReturnType<TestClient['get']> =>
    owner.get(`/api/databases/${databaseId}/requests?${query}`);

  it('the request log is listed in pages and filtered by status, method, route, code and key', async () => {
    await writeLines(databaseId, [
      ['GET /posts', 200, '', 1_000],
      ['GET /posts/{id}', 404, 'record.not_found', 900],
      ['POST /posts', 409, 'record.duplicate', 2_000],
      ['GET /posts', 500, 'internal.defect', 9_000],
    ]);
    await writeLines(databaseId, [['GET /posts', 200, '', 1_500]], 'key_other');
    await writeLines(otherId, [['GET /secrets', 200, '', 1]]);
    const routes = async (query: string): Promise<string[]> =>
      (await log(query)).json['items'].map(
        (item: { status: number; route: string }) => `${item.status} ${item.route}`,
      );
    expect(await routes('')).toEqual([
      '200 GET /posts',
      '500 GET /posts',
      '409 POST /posts',
      '404 GET /posts/{id}',
      '200 GET /posts',
    ]);
    // A key that no longer exists was one of the console's.
    expect(await routes('source=console')).toEqual(['200 GET /posts']);
    expect(await routes('source=api&status=200')).toEqual(['200 GET /posts']);
    expect(await routes('source=api')).toHaveLength(4);
    expect(await routes('status=4xx')).toEqual(['409 POST /posts', '404 GET /posts/{id}']);
    expect(await routes('status=500')).toEqual(['500 GET /posts']);
    expect(await routes('method=post')).toEqual(['409 POST /posts']);
    expect(await routes(`route=${encodeURIComponent('GET /posts')}&key=${keyId}`)).toEqual([
      '500 GET /posts',
      '200 GET /posts',
    ]);
    expect(await routes('code=record.not_found')).toEqual(['404 GET /posts/{id}']);
    expect(await routes(`since=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await log(`limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.json['items'].map((item: { id: string }) => item.id));
      cursor = page.json['next_cursor'];
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(5);
    expect((await log('')).json['items'][1]).toMatchObject({
      code: 'internal.defect',
      duration_ms: 9,
      key_id: keyId,
      request_id: 'req_x',
      rows_out: 1,
    });
  });

  it('the request log shows slow and failing requests and the use of keys', async () => {
    await plane.db.cell.query(
      "INSERT INTO key_use_day (cell_id, database_id, key_id, day, route, requests, last_at) VALUES (?, ?, ?, UTC_DATE(), 'GET /posts', 7, UTC_TIMESTAMP())",
      [plane.db.cellId, databaseId, keyId],
    );
    const idle = await owner.post(`/api/databases/${databaseId}/keys`, { name: 'idle' });
    const insights = await owner.get(`/api/databases/${databaseId}/insights`);
    expect(insights).toMatchObject({
      status: 200,
      json: {
        sampled: 5,
        keys: [{ id: keyId, requests: 7 }],
        unused_keys: [{ id: idle.json['id'], name: 'idle', requests: 0, last_used_at: null }],
      },
    });
    expect(insights.json['routes'][0]).toEqual({
      route: 'GET /posts',
      requests: 3,
      errors: 1,
      refused: 0,
      mean_ms: 3.833,
      p50_ms: 1.5,
      p95_ms: 9,
      rows_out: 3,
    });
    expect(insights.json['codes']).toHaveLength(3);
    expect((await owner.get(`/api/databases/${databaseId}/insights?hours=0`)).status).toBe(422);
  });
});

describe('telemetry of a database', () => {
  it('the request log is hidden from outsiders, and viewers see only counts', async () => {
    for (const part of ['usage', 'requests', 'insights']) {
      const path = `/api/databases/${databaseId}/${part}`;
      expect((await outsider.get(path)).status, part).toBe(404);
      expect((await new TestClient(plane.app).get(path)).status, part).toBe(401);
      expect((await viewer.get(path)).status, part).toBe(part === 'usage' ? 200 : 403);
    }
    expect(
      (await outsider.get(`/api/databases/${otherId}/requests`)).json['items'].map(
        (item: { route: string }) => item.route,
      ),
    ).toEqual(['GET /secrets']);
    const token = await outsider.post('/api/tokens', { name: 'cli' });
    const bearer = new TestClient(plane.app);
    for (const part of ['usage', 'requests', 'insights']) {
      expect(
        (
          await bearer.get(`/api/databases/${databaseId}/${part}`, {
            authorization: `Bearer ${token.json['token']}`,
          })
        ).status,
      ).toBe(404);
      expect(
        (
          await bearer.get(`/api/databases/${otherId}/${part}`, {
            authorization: `Bearer ${token.json['token']}`,
          })
        ).status,
      ).toBe(200);
    }
  });
});

describe('further telemetry', () => {
  it('requests are broken down by key and by table', async () => {
    await plane.db.cell.query('DELETE FROM key_use_day WHERE database_id = ?', [databaseId]);
    await plane.db.cell.query(
      `INSERT INTO key_use_day (cell_id, database_id, key_id, day, route, requests, last_at) VALUES (?, ?, ?, UTC_DATE(), 'GET /posts', 5, UTC_TIMESTAMP()), (?, ?, ?, UTC_DATE(), 'GET /posts/{id}', 2, UTC_TIMESTAMP()), (?, ?, ?, UTC_DATE() - INTERVAL 1 DAY, 'POST /query', 4, UTC_TIMESTAMP())`,
      [
        plane.db.cellId,
        databaseId,
        keyId,
        plane.db.cellId,
        databaseId,
        keyId,
        plane.db.cellId,
        databaseId,
        'key_gone',
      ],
    );
    const byTable = await viewer.get(`/api/databases/${databaseId}/usage/breakdown?by=table&days=7`);
    expect(byTable.json['items']).toMatchObject([
      { id: 'posts', requests: 7, days: [{ requests: 7 }] },
      { id: null, name: 'Queries and other requests', requests: 4 },
    ]);
    const byKey = await viewer.get(`/api/databases/${databaseId}/usage/breakdown?by=key&days=1`);
    expect(byKey.json['items']).toMatchObject([{ id: keyId, name: 'First key', requests: 7 }]);
    expect((await outsider.get(`/api/databases/${databaseId}/usage/breakdown?by=key`)).status).toBe(404);
    expect((await viewer.get(`/api/databases/${databaseId}/usage/breakdown?by=colour`)).status).toBe(422);
  });

  it('the limits of a database are returned with their use', async () => {
    await owner.patch(`/api/databases/${databaseId}`, {
      settings: { rate: { per_second: 5, burst: 10 }, language_model_tokens_per_day: 100 },
    });
    const limits = await viewer.get(`/api/databases/${databaseId}/limits`);
    expect(limits.json).toMatchObject({
      plan: 'standard',
      items: [
        { name: 'storage', unit: 'bytes' },
        { name: 'requests', max: 5, is_reached: false },
        { name: 'language_model_tokens', max: 100, used: 0 },
      ],
    });
    expect((await outsider.get(`/api/databases/${databaseId}/limits`)).status).toBe(404);
  });

  it('the request log finds slow entries, new entries and the entries of one request', async () => {
    const log = (query: string): ReturnType<TestClient['get']> =>
      owner.get(`/api/databases/${databaseId}/requests?${query}`);
    await writeLines(databaseId, [['GET /first', 200, '', 900]]);
    const newest = (await log('limit=1')).json['items'][0].id as string;
    await writeLines(databaseId, [
      ['GET /slow', 200, '', 400_000],
      ['GET /quick', 200, '', 900],
    ]);
    expect((await log('slow_ms=300')).json['items'].map((item: { route: string }) => item.route)).toEqual([
      'GET /slow',
    ]);
    expect((await log(`after=${newest}&limit=10`)).json['items']).toHaveLength(2);
    expect((await log('request=req_x&limit=1')).json['items']).toHaveLength(1);
    expect((await log('request=req_y')).json['items']).toEqual([]);
    expect((await log('until=2020-01-01T00:00:00Z')).json['items']).toEqual([]);
  });
});
