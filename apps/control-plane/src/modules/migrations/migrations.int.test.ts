import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { readDatabaseIds, TestClient } from '../../testing/test-client.js';

let plane: TestControlPlane;
let client: TestClient;
let outsider: TestClient;
let projectId: string;
let development: string;
let production: string;

const deploy = async (body: Record<string, unknown>): Promise<string> => {
  const answer = await client.post(`/api/projects/${projectId}/deploy`, body);
  expect(answer.status, JSON.stringify(answer.json)).toBe(201);
  const { id } = answer.json['migrations'][0];
  await settled(id);
  return id;
};
const settled = async (id: string, state = 'published'): Promise<void> =>
  expect.poll(async () => (await client.get(`/api/migrations/${id}`)).json['state']).toBe(state);
const tables = async (): Promise<string[]> => {
  const drift = await client.get(`/api/projects/${projectId}/drift`);
  return drift.json['databases'][1].differs;
};

beforeAll(async () => {
  plane = await startTestControlPlane();
  [client, outsider] = [new TestClient(plane.app), new TestClient(plane.app)];
  const signup = await client.signUp('reverter@example.test', { starter: 'empty', name: 'Rita' });
  await outsider.signUp('foreigner@example.test', { starter: 'empty' });
  projectId = signup.json['project'].id;
  [development, production] = readDatabaseIds(signup);
}, 60_000);
afterAll(() => plane?.stop());
beforeEach(() => plane.worker.reset());

describe('a revert', () => {
  let first: string;
  let second: string;

  it('a revert runs as a new migration and marks the reverted one', async () => {
    first = await deploy({ sql: 'CREATE TABLE a (id int)', targets: [{ database: development }] });
    second = await deploy({ sql: 'CREATE TABLE b (id int)', targets: [{ database: development }] });
    expect((await client.get(`/api/migrations/${second}/revert`)).json).toMatchObject({
      targetNumber: 2,
      loss: ['table b'],
    });
    expect(await client.post(`/api/migrations/${second}/revert`)).toMatchObject({
      status: 409,
      json: { code: 'schema.loss_not_accepted' },
    });
    const back = await client.post(`/api/migrations/${second}/revert`, { accept_loss: true });
    expect(back).toMatchObject({
      status: 201,
      json: { origin: 'revert', reverts: second, revision: 1, by: { kind: 'account', name: 'Rita' } },
    });
    await settled(back.json['id']);
    expect((await client.get(`/api/migrations/${second}`)).json['state']).toBe('reverted');
    expect(await client.post(`/api/migrations/${second}/revert`, { accept_loss: true })).toMatchObject({
      status: 409,
      json: { code: 'schema.not_possible' },
    });
    expect(
      (await client.post(`/api/migrations/${back.json['id']}/revert`, { accept_loss: true })).json['detail'],
    ).toContain('A revert cannot be reverted');
  });
  it('reverts run from the newest migration to older ones without skipping any', async () => {
    const third = await deploy({
      sql: 'CREATE TABLE c (id int)',
      targets: [{ database: development }],
      accept_loss: true,
    });
    const rejected = await client.post(`/api/migrations/${first}/revert`, { accept_loss: true });
    expect(rejected).toMatchObject({
      status: 409,
      json: { code: 'schema.not_possible', migrations: [third] },
    });
    // The plans of later migrations are not read, because thousands may exist, with megabytes each.
    const requested = vi.spyOn(
      Object.getPrototypeOf(plane.db.cell.createQueryRunner()) as {
        query: (sql: string) => Promise<unknown>;
      },
      'query',
    );
    await client.post(`/api/migrations/${first}/revert`, { accept_loss: true });
    const later = requested.mock.calls.map(([sql]) => sql).filter((sql) => /published_number`? > /.test(sql));
    requested.mockRestore();
    expect(later).toHaveLength(1);
    expect(later[0]).not.toMatch(/plan/);
    const response = await client.post(`/api/migrations/${third}/revert`, { accept_loss: true });
    await settled(response.json['id']);
    const two = await client.post(`/api/migrations/${first}/revert`, { accept_loss: true });
    expect(two).toMatchObject({ status: 201, json: { revision: 0 } });
    await settled(two.json['id']);
  });
  it('a deploy whose plan is not the confirmed one returns the plan', async () => {
    const id = await deploy({
      sql: 'CREATE TABLE d (id int)',
      targets: [{ database: development }],
      accept_loss: true,
    });
    expect(
      await client.post(`/api/migrations/${id}/revert`, { accept_loss: true, confirm: ['other'] }),
    ).toMatchObject({ status: 409, json: { code: 'schema.needs_confirmation' } });
    expect((await client.post(`/api/migrations/${id}/revert`, { accept_loss: 'yes' })).status).toBe(422);
  });
  it('outsiders have no access to reverts and the migration history', async () => {
    const [{ id }] = (await client.get(`/api/projects/${projectId}/migrations?limit=1`)).json['items'];
    for (const path of [
      `migrations/${id}`,
      `migrations/${id}/steps`,
      `migrations/${id}/events`,
      `migrations/${id}/revert`,
      `databases/${development}/migrations`,
      `databases/${development}/migrations/export`,
      `databases/${development}/kept`,
      `projects/${projectId}/drift`,
    ]) {
      expect(await outsider.get(`/api/${path}`), path).toMatchObject({
        status: 404,
        json: { code: 'resource.not_found' },
      });
    }
    for (const path of [
      `migrations/${id}/revert`,
      `migrations/${id}/retry`,
      `migrations/${id}/purge`,
      `migrations/${id}/cancel`,
      `projects/${projectId}/promote`,
    ]) {
      expect(await outsider.post(`/api/${path}`, {}), path).toMatchObject({ status: 404 });
    }
  });
});

describe('a retry', () => {
  it('retrying a cancelled migration plans it again', async () => {
    plane.worker.holdsMigrations = true;
    const answer = await client.post(`/api/projects/${projectId}/deploy`, {
      sql: 'CREATE TABLE e (id int)',
      targets: [{ database: development }],
      accept_loss: true,
    });
    const { id } = answer.json['migrations'][0];
    await client.post(`/api/migrations/${id}/cancel`);
    plane.worker.holdsMigrations = false;
    const secondResponse = await client.post(`/api/migrations/${id}/retry`);
    expect(secondResponse.status).toBe(201);
    expect(secondResponse.json['id']).not.toBe(id);
    await settled(secondResponse.json['id']);
    expect((await client.post(`/api/migrations/${secondResponse.json['id']}/retry`)).json).toMatchObject({
      code: 'schema.not_possible',
    });
  });
  it('retrying an interrupted migration continues it', async () => {
    const id = await deploy({ sql: 'CREATE TABLE f (id int)', targets: [{ database: development }] });
    await plane.db.cell.query("UPDATE migration SET state = 'needs_attention', attempt = 20 WHERE id = ?", [
      id,
    ]);
    expect((await client.post(`/api/migrations/${id}/retry`)).json).toMatchObject({
      id,
      state: 'running',
      error: null,
    });
    await plane.db.cell.query("UPDATE migration SET state = 'published' WHERE id = ?", [id]);
  });
});

describe('a promotion', () => {
  it('a promotion deploys the development revision, and a different plan needs confirmation', async () => {
    const rejected = await client.post(`/api/projects/${projectId}/promote`, {});
    expect(rejected).toMatchObject({
      status: 409,
      json: { code: 'schema.needs_confirmation', plans: [{ database: production }] },
    });
    const confirmed = await client.post(`/api/projects/${projectId}/promote`, {
      confirm: [rejected.json['plans'][0].hash],
    });
    expect(confirmed).toMatchObject({ status: 201, json: { migrations: [{ database: production }] } });
    await settled(confirmed.json['migrations'][0].id);
    expect(await tables()).toEqual([]);
  });
  it('a promotion with an equal plan needs no confirmation', async () => {
    await deploy({ sql: 'CREATE TABLE g (id int)', targets: [{ database: development }] });
    expect(await tables()).toEqual([{ object: 'g', how: 'missing_here' }]);
    const promoted = await client.post(`/api/projects/${projectId}/promote`, {
      from: 'development',
      to: 'production',
    });
    expect(promoted.status).toBe(201);
    await settled(promoted.json['migrations'][0].id);
    expect((await client.get(`/api/projects/${projectId}/drift`)).json['databases']).toMatchObject([
      { environment: 'development', direct: [] },
      { environment: 'production', direct: [], differs: [] },
    ]);
    expect(
      (await client.post(`/api/projects/${projectId}/promote`, { from: 'production', to: 'production' }))
        .status,
    ).toBe(409);
    expect((await client.post(`/api/projects/${projectId}/promote`, { to: 'nowhere' })).status).toBe(422);
  });
});

describe('a promotion of a shown plan', () => {
  const showPlan = async (): Promise<{ hash: string }> =>
    (await client.get(`/api/projects/${projectId}/diff?database=${production}`)).json['plans'][0];
  const promote = (body: Record<string, unknown>) => client.post(`/api/projects/${projectId}/promote`, body);
  const countPlans = (): number => plane.worker.seen.filter(({ kind }) => kind === 'plan_schema').length;

  it('a promotion runs only the plan that its caller was shown, and plans once', async () => {
    await deploy({ sql: 'CREATE TABLE k (id int)', targets: [{ database: development }] });
    const shown = await showPlan();
    await deploy({ sql: 'CREATE TABLE l (id int)', targets: [{ database: development }] });
    const current = await showPlan();
    const planned = countPlans();
    expect(await promote({ plan: shown.hash, accept_loss: true })).toMatchObject({
      status: 409,
      json: { code: 'schema.needs_confirmation', plans: [{ database: production, hash: current.hash }] },
    });
    expect(await showPlan()).toMatchObject({ hash: current.hash });
    const promoted = await promote({ plan: current.hash });
    expect(promoted).toMatchObject({ status: 201, json: { migrations: [{ plan: { hash: current.hash } }] } });
    // One plan is for the comparison in this test.
    expect(countPlans() - planned).toBe(3);
    await settled(promoted.json['migrations'][0].id);
    expect(await promote({ plan: current.hash })).toMatchObject({ status: 201, json: { migrations: [] } });
  });
});

describe('plans that need confirmation', () => {
  it('a plan that needs confirmation is rejected until its hash is confirmed', async () => {
    plane.worker.changePlan = (plan) => ({ ...plan, drift: ['a'] });
    const input = { sql: 'CREATE TABLE h (id int)', targets: [{ database: development }] };
    const rejected = await client.post(`/api/projects/${projectId}/deploy`, input);
    expect(rejected).toMatchObject({ status: 409, json: { code: 'schema.needs_confirmation' } });
    expect(rejected.json['detail']).toContain('a of development changed over a direct connection');
    await deploy({ ...input, confirm: [rejected.json['plans'][0].hash] });
  });
});

describe('the history', () => {
  it('the migration history of a database is listed and exported as SQL files', async () => {
    const page = await client.get(`/api/databases/${production}/migrations`);
    expect(new Set(page.json['items'].map((row: { database: string }) => row.database))).toEqual(
      new Set([production]),
    );
    expect(page.json['items'][0]).toMatchObject({
      origin: 'deploy',
      duration_ms: expect.any(Number),
      by: { kind: 'account', name: 'Rita' },
    });
    const files = await plane.app.inject({
      url: `/api/databases/${production}/migrations/export`,
      headers: { cookie: client.cookie as string },
    });
    expect(files.headers['content-disposition']).toBe('attachment; filename="migrations-production.tar"');
    expect(files.rawPayload.toString('latin1', 0, 12)).toBe('0001_deploy_');
  });
  it('the migration history names the connection of a direct change', async () => {
    const created = await client.post(`/api/databases/${development}/connections`, {
      name: 'laptop',
      role: 'owner',
    });
    const [row] = (await client.get(`/api/databases/${development}/migrations?limit=1`)).json['items'];
    await plane.db.cell.query("UPDATE migration SET origin = 'direct', created_by = ? WHERE id = ?", [
      created.json['id'],
      row.id,
    ]);
    expect((await client.get(`/api/migrations/${row.id}`)).json).toMatchObject({
      origin: 'direct',
      by: { kind: 'connection', name: 'laptop' },
    });
  });
  it('retained data of a database is listed and can be purged', async () => {
    const [row] = (await client.get(`/api/databases/${development}/migrations?limit=1`)).json['items'];
    await plane.db.cell.query(
      `INSERT INTO kept_object (id, cell_id, database_id, migration_id, step, kind, table_name, kept_name, definition, kept_at, expires_at) VALUES ('kep_1', ?, ?, ?, 0, 'table', 'a', '_rh_1', '{}', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 DAY)`,
      [plane.db.cellId, development, row.id],
    );
    expect((await client.get(`/api/databases/${development}/kept`)).json['items']).toMatchObject([
      { id: 'kep_1', migration: row.id, kind: 'table', table: 'a' },
    ]);
    expect((await client.get(`/api/databases/${production}/kept`)).json['items']).toEqual([]);
    expect((await client.post(`/api/migrations/${row.id}/purge`)).status).toBe(204);
    const [retained] = await plane.db.cell.query<{ due: number }[]>(
      "SELECT expires_at <= UTC_TIMESTAMP(3) AS due FROM kept_object WHERE id = 'kep_1'",
    );
    expect(Number(retained?.due)).toBe(1);
  });
});

describe('large plans and statements', () => {
  it('a page of large migration plans contains fewer migrations, each of them complete', async () => {
    const ids: string[] = [];
    for (const name of ['long_a', 'long_b', 'long_c'])
      ids.unshift(
        await deploy({
          sql: `CREATE TABLE ${name} (id int)`,
          targets: [{ database: production }],
          accept_loss: true,
        }),
      );
    // A plan of six megabytes and a statement of the same size.
    await plane.db.cell.query(
      "UPDATE migration SET plan = JSON_SET(plan, '$.warnings', JSON_ARRAY(REPEAT('x', 6000000))) WHERE id IN (?)",
      [ids],
    );
    const seen: string[][] = [];
    for (let cursor: unknown = ''; cursor !== null;) {
      const page = await client.get(
        `/api/databases/${production}/migrations?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(String(cursor))}`}`,
      );
      seen.push(page.json['items'].map((item: { id: string }) => item.id));
      cursor = page.json['next_cursor'];
    }
    expect(seen.flat().slice(0, 3)).toEqual(ids);
    expect(seen[0]).toEqual([ids[0]]);
    await plane.db.cell.query('DELETE FROM migration WHERE id IN (?)', [ids]);

    await plane.db.cell.query(
      "UPDATE working_schema SET statements = CONCAT(statements, REPEAT(' ', 6000000)) WHERE project_id = ?",
      [projectId],
    );
    const revisions: number[] = [];
    const pages: number[] = [];
    for (let cursor: unknown = ''; cursor !== null;) {
      const page = await client.get(
        `/api/projects/${projectId}/schema/revisions?limit=200${cursor === '' ? '' : `&cursor=${String(cursor)}`}`,
      );
      pages.push(page.json['items'].length);
      revisions.push(...page.json['items'].map((item: { revision: number }) => item.revision));
      cursor = page.json['next_cursor'];
    }
    expect(revisions).toEqual(
      Array.from({ length: revisions.length }, (_, index) => revisions.length - index),
    );
    expect(revisions.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...pages)).toBe(1);
  });
});
