import { FILE_FRAME } from '@rowhouse/sql-files';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SchemaPlanner } from './schema-planner.js';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { readDatabaseIds, TestClient } from '../../testing/test-client.js';

let plane: TestControlPlane;
let client: TestClient;
let projectId: string;
let development: string;
let production: string;

const deploy = (body: Record<string, unknown>) => client.post(`/api/projects/${projectId}/deploy`, body);
/** Reads the response before the worker has run. */
const deployHeld = async (body: Record<string, unknown>) => {
  plane.worker.holdsMigrations = true;
  try {
    return await deploy(body);
  } finally {
    plane.worker.holdsMigrations = false;
  }
};
const settled = async (id: string): Promise<void> =>
  expect.poll(async () => (await client.get(`/api/migrations/${id}`)).json['state']).toBe('published');

beforeAll(async () => {
  plane = await startTestControlPlane();
  client = new TestClient(plane.app);
  const signup = await client.signUp('deployer@example.test', { starter: 'empty' });
  projectId = signup.json['project'].id;
  [development, production] = readDatabaseIds(signup);
}, 60_000);
afterAll(() => plane?.stop());
beforeEach(() => plane.worker.reset());

describe('the working schema', () => {
  it('the working schema of a new project is empty', async () => {
    expect((await client.get(`/api/projects/${projectId}/schema`)).json).toEqual({
      revision: 0,
      sql: '',
      file_frame: FILE_FRAME,
      notes: [],
      tables: [],
      updated_at: null,
      undo_revision: null,
      redo_revision: null,
    });
    expect((await client.get(`/api/projects/${projectId}/diff`)).json).toEqual({ revision: 0, plans: [] });
  });
  it('a schema text becomes a new revision unless it changes nothing', async () => {
    const put = await client.put(`/api/projects/${projectId}/schema`, { sql: 'CREATE TABLE a (id int)' });
    expect(put).toMatchObject({
      status: 200,
      json: { revision: 1, notes: ['a note'], sql: 'CREATE TABLE `a` (id int);\n' },
    });
    expect(
      (await client.put(`/api/projects/${projectId}/schema`, { sql: 'CREATE TABLE a (id int)' })).json[
        'revision'
      ],
    ).toBe(1);
    expect(
      (
        await client.put(`/api/projects/${projectId}/schema`, {
          sql: 'CREATE TABLE b (id int)',
          mode: 'apply',
          base_revision: 1,
        })
      ).json['revision'],
    ).toBe(2);
    expect(
      (await client.get(`/api/projects/${projectId}/schema`)).json['tables'].map(
        (table: { name: string }) => table.name,
      ),
    ).toEqual(['a', 'b']);
  });
  it('a schema text that is based on an outdated revision is rejected with the newest one', async () => {
    const stale = await client.put(`/api/projects/${projectId}/schema`, {
      sql: 'CREATE TABLE c (id int)',
      base_revision: 1,
    });
    expect(stale).toMatchObject({ status: 409, json: { code: 'schema.stale_base', revision: 2 } });
  });
  it("the worker's errors about a schema text are returned", async () => {
    plane.worker.failures.set('plan_schema', {
      code: 'schema.invalid_sql',
      detail: 'near FOO',
      hint: 'line 1',
    });
    const rejected = await client.put(`/api/projects/${projectId}/schema`, { sql: 'FOO' });
    plane.worker.failures.clear();
    expect(rejected).toMatchObject({ status: 422, json: { code: 'schema.invalid_sql', hint: 'line 1' } });
    expect(rejected.json['detail']).toEqual([
      { loc: ['body', 'sql'], msg: 'near FOO', type: 'schema.invalid_sql' },
    ]);
  });
});

describe('a deploy', () => {
  it('a deploy queues migrations for the targets that change', async () => {
    const diff = await client.get(`/api/projects/${projectId}/diff?database=development`);
    expect(diff.json['plans']).toHaveLength(1);
    expect(diff.json['plans'][0]).toMatchObject({ database: development, baseSnapshot: 1 });
    const done = await deployHeld({
      targets: [{ database: development, base_snapshot: 1 }],
      confirm: [diff.json['plans'][0].hash],
    });
    expect(done).toMatchObject({
      status: 201,
      json: {
        revision: 2,
        migrations: [{ database: development, state: 'queued', base_snapshot: 1, revision: 2 }],
      },
    });
    await settled(done.json['migrations'][0].id);
    const both = await deploy({});
    expect(both.json['migrations'].map((row: { database: string }) => row.database)).toEqual([production]);
    await settled(both.json['migrations'][0].id);
    expect((await deploy({})).json).toEqual({
      revision: 2,
      migrations: [],
      notes: ['a note', 'Nothing was deployed, because development, production already have this schema.'],
    });
  });
  it('a deploy stores its plan and hashes unchanged in the journal', async () => {
    const [row] = await plane.db.cell.query<{ plan: string; plan_hash: string; target_hash: string }[]>(
      'SELECT plan, plan_hash, target_hash FROM migration WHERE database_id = ?',
      [development],
    );
    expect(JSON.parse(row?.plan ?? '{}')).toMatchObject({
      hash: row?.plan_hash,
      targetHash: row?.target_hash,
    });
  });
  it('a deploy with a schema text creates a revision', async () => {
    const done = await deployHeld({ sql: 'CREATE TABLE c (id int)', targets: [{ database: development }] });
    expect(done.json).toMatchObject({ revision: 3, migrations: [{ state: 'queued' }] });
    await settled(done.json['migrations'][0].id);
    expect((await client.get(`/api/projects/${projectId}/schema`)).json['tables']).toHaveLength(3);
  });
  it('a deploy that loses data is rejected with what would be lost, and creates no revision', async () => {
    const rejected = await deploy({ sql: 'DROP TABLE c', targets: [{ database: development }] });
    expect(rejected).toMatchObject({
      status: 409,
      json: { code: 'schema.loss_not_accepted', loss: [{ database: development, loss: ['table c'] }] },
    });
    expect((await client.get(`/api/projects/${projectId}/schema`)).json['revision']).toBe(3);
    const accepted = await deploy({
      sql: 'DROP TABLE c',
      targets: [{ database: development }],
      accept_loss: true,
    });
    expect(accepted.status).toBe(201);
    await settled(accepted.json['migrations'][0].id);
  });
  it('a deploy based on an outdated snapshot is rejected', async () => {
    expect(await deploy({ targets: [{ database: development, base_snapshot: 1 }] })).toMatchObject({
      status: 409,
      json: { code: 'schema.stale_base' },
    });
    plane.worker.changePlan = (plan) => ({ ...plan, baseSnapshot: 1 });
    expect(
      await deploy({ sql: 'CREATE TABLE d (id int)', targets: [{ database: development }] }),
    ).toMatchObject({ status: 409, json: { code: 'schema.stale_base' } });
    expect((await client.get(`/api/projects/${projectId}/schema`)).json['revision']).toBe(4);
  });
  it('a deploy with plans other than the confirmed ones returns the new plans', async () => {
    const rejected = await deploy({
      sql: 'CREATE TABLE d (id int)',
      targets: [{ database: development }],
      confirm: ['another'],
    });
    expect(rejected).toMatchObject({
      status: 409,
      json: { code: 'schema.needs_confirmation', plans: [{ database: development }] },
    });
  });
  it('a deploy that must copy a large table is rejected with the name of the table', async () => {
    plane.worker.changePlan = (plan) => ({
      ...plan,
      needsRebuild: [{ table: 'a', sql: 'ALTER TABLE a …', rows: 9_000_000 }],
    });
    const rejected = await deploy({ sql: 'CREATE TABLE d (id int)', targets: [{ database: development }] });
    expect(rejected).toMatchObject({
      status: 409,
      json: {
        code: 'schema.needs_rebuild',
        tables: [{ table: 'a', rows: 9_000_000, database: development }],
      },
    });
  });
  it("a deploy to a database of another project is rejected with the database's name", async () => {
    const rejected = await deploy({ targets: [{ database: 'db_elsewhere' }] });
    expect(rejected.status).toBe(422);
    expect(rejected.json['detail'][0].loc).toEqual(['body', 'targets', 0, 'database']);
    expect(rejected.json['hint']).toContain(development);
  });
  it('deploying an earlier revision leaves the list of revisions unchanged', async () => {
    const done = await deploy({ revision: 1, targets: [{ database: development }], accept_loss: true });
    expect(done.json).toMatchObject({ revision: 1, migrations: [{ revision: 1 }] });
    await settled(done.json['migrations'][0].id);
    expect((await client.get(`/api/projects/${projectId}/schema`)).json['revision']).toBe(4);
    expect((await deploy({ revision: 99 })).status).toBe(404);
  });
});

describe('migrations', () => {
  it('a waiting migration can be cancelled, unlike an ended one', async () => {
    plane.worker.holdsMigrations = true;
    const queued = await deploy({ sql: 'CREATE TABLE e (id int)', targets: [{ database: production }] });
    const id = queued.json['migrations'][0].id as string;
    expect((await client.post(`/api/migrations/${id}/cancel`)).json).toMatchObject({ state: 'cancelled' });
    expect(await client.post(`/api/migrations/${id}/cancel`)).toMatchObject({
      status: 409,
      json: { code: 'schema.not_possible' },
    });
    expect(await client.post(`/api/migrations/${id}/revert`)).toMatchObject({
      status: 409,
      json: { code: 'schema.not_possible' },
    });
  });
  it('migrations are listed newest first in pages', async () => {
    const all = (await client.get(`/api/projects/${projectId}/migrations`)).json['items'] as { id: string }[];
    const first = await client.get(`/api/projects/${projectId}/migrations?limit=2`);
    const second = await client.get(
      `/api/projects/${projectId}/migrations?limit=2&cursor=${encodeURIComponent(first.json['next_cursor'])}`,
    );
    expect([...first.json['items'], ...second.json['items']].map((row: { id: string }) => row.id)).toEqual(
      all.slice(0, 4).map((row) => row.id),
    );
    expect((await client.get(`/api/projects/${projectId}/migrations?limit=0`)).status).toBe(422);
  });
  it('the states of a migration are streamed until its end', async () => {
    plane.worker.holdsMigrations = true;
    const queued = await deploy({ sql: 'CREATE TABLE f (id int)', targets: [{ database: production }] });
    await plane.app.listen(0, '127.0.0.1');
    const url = `${await plane.app.getUrl()}/api/migrations/${queued.json['migrations'][0].id}/events`;
    const res = await fetch(url, { headers: { cookie: client.cookie as string } });
    expect(res.headers.get('content-type')).toContain('text/event-stream');
    expect(res.headers.get('cache-control')).toBe('no-store');
    const reader = (res.body as ReadableStream<Uint8Array>).getReader();
    let text = new TextDecoder().decode((await reader.read()).value);
    expect(text).toContain('"state":"queued"');
    plane.worker.holdsMigrations = false;
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += new TextDecoder().decode(part.value);
    expect(text).toContain('"state":"published"');
    expect(text.trimEnd().endsWith('event: end\ndata: {}')).toBe(true);
    expect((await fetch(url)).status).toBe(401);
  });
  it('a migration stream ends when the session of its user ends', async () => {
    plane.worker.holdsMigrations = true;
    const queued = await deploy({ sql: 'CREATE TABLE g (id int)', targets: [{ database: production }] });
    const url = `${await plane.app.getUrl()}/api/migrations/${queued.json['migrations'][0].id}/events`;
    const left = new TestClient(plane.app);
    await left.post('/api/auth/login', { email: 'deployer@example.test', password: 'correct horse battery' });
    const controller = new AbortController();
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        fetch(url, {
          headers: { cookie: (index === 0 ? left : client).cookie as string },
          signal: controller.signal,
        }),
      ),
    );
    expect(streams.map((res) => res.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await client.get(new URL(url).pathname)).toMatchObject({
      status: 429,
      json: { code: 'limit.streams' },
    });
    await left.post('/api/auth/logout');
    await expect(streams[0]?.text()).rejects.toThrow();
    controller.abort();
    await Promise.allSettled(streams.slice(1).map((res) => res.text()));
    await expect
      .poll(async () => {
        const again = new AbortController();
        const { status } = await fetch(url, {
          headers: { cookie: client.cookie as string },
          signal: again.signal,
        });
        again.abort();
        return status;
      })
      .toBe(200);
    plane.worker.holdsMigrations = false;
    await settled(queued.json['migrations'][0].id as string);
  });
});

describe('a plan that takes too long', () => {
  it('planning beyond its time limit ends with a hint and does not continue in the background', async () => {
    plane.worker.ignored.add('plan_schema');
    const planning = plane.app.get(SchemaPlanner).plan({
      projectId,
      base: null,
      mode: 'apply',
      sql: 'CREATE TABLE late (id int)',
      targetIds: [],
      deadlineMs: 100,
    });
    await expect(planning).rejects.toMatchObject({
      code: 'db.timeout',
      detail: expect.stringContaining('Nothing was changed'),
      hint: expect.stringContaining('a few hundred tables at a time'),
    });
    plane.worker.ignored.delete('plan_schema');
  });
});

describe('snapshots', () => {
  it('snapshots are listed newest first, with the current one marked', async () => {
    const page = await client.get(`/api/databases/${development}/snapshots?limit=2`);
    expect(page.json['items'].map((row: { is_current: boolean }) => row.is_current)).toEqual([true, false]);
    const next = await client.get(
      `/api/databases/${development}/snapshots?limit=2&cursor=${page.json['next_cursor']}`,
    );
    expect(next.json['items'][0].number).toBe(page.json['items'][1].number - 1);
  });
});

describe('a deleted project', () => {
  it('the keys and connections of a deleted project end at once', async () => {
    const other = new TestClient(plane.app);
    const signup = await other.signUp('leaver@example.test', { starter: 'empty', project: 'Gone soon' });
    const { id } = signup.json['project'];
    const [first] = signup.json['databases'];
    await other.post(`/api/databases/${first.id}/connections`, { name: 'c', role: 'owner' });
    expect(await other.delete(`/api/projects/${id}`, { confirm: 'gone soon' })).toMatchObject({
      status: 422,
      json: { code: 'resource.confirmation' },
    });
    expect((await other.delete(`/api/projects/${id}`, { confirm: 'Gone soon' })).status).toBe(204);
    expect((await other.get(`/api/projects/${id}`)).status).toBe(404);
    const alive = await plane.db.cell.query<unknown[]>(
      'SELECT id FROM api_key WHERE database_id = ? AND revoked_at IS NULL',
      [first.id],
    );
    expect(alive).toEqual([]);
    expect(
      plane.worker.seen.filter(
        (task) => task.kind === 'revoke_connection' && task.payload['database_id'] === first.id,
      ),
    ).toHaveLength(1);
    const kinds = await plane.db.cell.query<{ kind: string }[]>(
      'SELECT kind FROM change_log WHERE database_id = ? ORDER BY seq',
      [first.id],
    );
    expect(kinds.map((row) => row.kind).slice(-2)).toEqual(['key', 'suspend']);
    const restored = await other.post(`/api/projects/${id}/restore`);
    expect(restored.json['databases']).toHaveLength(2);
    const [row] = await plane.db.cell.query<{ location_state: string }[]>(
      'SELECT location_state FROM tenant_database WHERE id = ?',
      [first.id],
    );
    expect(row?.location_state).toBe('live');
  });
});

describe('the audit log', () => {
  it('the audit log records who did what, without secrets', async () => {
    const page = await client.get(`/api/projects/${projectId}/audit?limit=200`);
    const actions = (page.json['items'] as { action: string }[]).map((item) => item.action);
    for (const action of ['deploy', 'schema.change', 'migration.cancel', 'key.create'])
      expect(actions).toContain(action);
    const ofDatabase = await client.get(`/api/databases/${production}/audit?limit=1`);
    expect(ofDatabase.json['items']).toHaveLength(1);
    expect(
      (
        await client.get(
          `/api/databases/${production}/audit?limit=1&cursor=${ofDatabase.json['next_cursor']}`,
        )
      ).json['items'][0].id,
    ).not.toBe(ofDatabase.json['items'][0].id);
    const texts = await plane.db.global.query<{ detail: string | null }[]>('SELECT detail FROM audit_event');
    expect(JSON.stringify(texts)).not.toMatch(/rh_(dev|prod)_|rhs_|rhp_|password/);
  });
});

it('a change of AUTO_INCREMENT alone creates a revision, so that other databases receive it', async () => {
  const { revision } = (await client.get(`/api/projects/${projectId}/schema`)).json as { revision: number };
  const put = await client.put(`/api/projects/${projectId}/schema`, {
    sql: 'ALTER TABLE a AUTO_INCREMENT=500',
    mode: 'apply',
  });
  expect(put).toMatchObject({ status: 200, json: { revision: revision + 1 } });
  const done = await deployHeld({
    sql: 'ALTER TABLE a AUTO_INCREMENT=600',
    targets: [{ database: development }],
  });
  expect(done).toMatchObject({ status: 201, json: { revision: revision + 2 } });
});
