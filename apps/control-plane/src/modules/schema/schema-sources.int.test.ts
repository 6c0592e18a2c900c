import { decodeSnapshot, encodeSnapshot } from '@rowhouse/snapshot-store';
import type { Snapshot } from '@rowhouse/schema-model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient } from '../../testing/test-client.js';

describe('sources of the working schema, and the queue', () => {
  let plane: TestControlPlane;
  let owner: TestClient;
  let outsider: TestClient;
  let projectId: string;
  let databaseId: string;

  beforeAll(async () => {
    plane = await startTestControlPlane();
    [owner, outsider] = [new TestClient(plane.app), new TestClient(plane.app)];
    const signup = await owner.signUp('sources@example.test', { starter: 'empty' });
    projectId = signup.json['project'].id as string;
    databaseId = signup.json['databases'].find(
      (database: { environment: string }) => database.environment === 'development',
    ).id as string;
    await outsider.signUp('nosy-sources@example.test', { starter: 'empty' });
  }, 60_000);
  afterAll(() => plane?.stop());

  /**
   * Writes a snapshot as the worker does after direct changes: tables with these names, one of which is
   * changed.
   */
  async function changeDirectly(names: readonly string[], changed: string): Promise<void> {
    const [row] = await plane.db.cell.query<{ number: string; content_hash: string; body: Buffer }[]>(
      'SELECT s.number, s.content_hash, c.body FROM snapshot s JOIN snapshot_content c ON c.content_hash = s.content_hash WHERE s.database_id = ? ORDER BY s.number DESC LIMIT 1',
      [databaseId],
    );
    if (row === undefined) throw new Error('nothing is deployed');
    const before = await decodeSnapshot(row.body, row.content_hash);
    const [sample] = before.tables;
    if (sample === undefined) throw new Error('there is no table');
    const tables = names.map((name) => ({
      ...sample,
      name,
      path: name,
      createSql: `CREATE TABLE \`${name}\` (id int)`,
      ...(name === changed
        ? {
            indexes: [
              { name: 'x', unique: false, kind: 'btree' as const, columns: [], definition: 'KEY `x` (`id`)' },
            ],
          }
        : {}),
    }));
    const snapshot: Snapshot = { ...before, tables };
    const { contentHash, body } = await encodeSnapshot(snapshot);
    const number = Number(row.number) + 1;
    await plane.db.cell.query(
      'INSERT IGNORE INTO snapshot_content (content_hash, cell_id, body, created_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))',
      [contentHash, plane.db.cellId, body],
    );
    await plane.db.cell.query(
      "INSERT INTO snapshot (database_id, number, cell_id, content_hash, origin, created_at) VALUES (?, ?, ?, ?, 'direct', UTC_TIMESTAMP(3))",
      [databaseId, number, plane.db.cellId, contentHash],
    );
    await plane.db.cell.query(
      'UPDATE tenant_database SET snapshot_number = ?, snapshot_hash = ? WHERE id = ?',
      [number, contentHash, databaseId],
    );
  }
  const draftTables = async (): Promise<string[]> =>
    (await owner.get(`/api/projects/${projectId}/schema`)).json['tables'].map(
      (table: { name: string }) => table.name,
    );

  it('a starter is applied to an existing project', async () => {
    await owner.put(`/api/projects/${projectId}/schema`, { sql: 'CREATE TABLE mine (id int)' });
    const added = await owner.post(`/api/projects/${projectId}/schema/starter`, { starter: 'blog' });
    expect(added).toMatchObject({ status: 200, json: { revision: 2 } });
    expect(await draftTables()).toEqual(expect.arrayContaining(['mine', 'users', 'posts']));
    expect(
      await owner.post(`/api/projects/${projectId}/schema/starter`, { starter: 'shop', base_revision: 1 }),
    ).toMatchObject({ status: 409, json: { code: 'schema.stale_base' } });
    expect(await owner.post(`/api/projects/${projectId}/schema/starter`, { starter: 'empty' })).toMatchObject(
      { status: 422 },
    );
    expect(
      (await outsider.post(`/api/projects/${projectId}/schema/starter`, { starter: 'blog' })).status,
    ).toBe(404);
    const replaced = await owner.post(`/api/projects/${projectId}/schema/starter`, {
      starter: 'shop',
      mode: 'replace',
    });
    expect(replaced.json['tables'].map((table: { name: string }) => table.name)).not.toContain('mine');
  });

  it('direct schema changes are adopted by object, and conflicting ones only by name', async () => {
    const path = `/api/projects/${projectId}/schema`;
    await owner.put(path, { sql: 'CREATE TABLE a (id int); CREATE TABLE b (id int);' });
    expect(
      (
        await owner.post(`/api/projects/${projectId}/deploy`, {
          targets: [{ database: 'development' }],
          accept_loss: true,
        })
      ).status,
    ).toBe(201);
    await expect
      .poll(async () => (await owner.get(`/api/projects/${projectId}/drift`)).json['databases'][0].snapshot)
      .toBeGreaterThan(1);
    expect(await owner.post(`${path}/take`, { database: 'development' })).toMatchObject({
      status: 409,
      json: { code: 'schema.not_possible' },
    });

    await owner.put(path, { sql: 'CREATE TABLE late (id int)', mode: 'apply' });
    await changeDirectly(['a', 'c'], 'a');
    expect((await owner.get(`/api/projects/${projectId}/drift`)).json['databases'][0].direct).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(await owner.post(`${path}/take`, { database: databaseId, objects: ['cc'] })).toMatchObject({
      status: 422,
      json: {
        detail: [{ loc: ['body', 'objects', 0], msg: 'No direct connection changed cc.' }],
        hint: 'Did you mean c?',
      },
    });
    expect((await outsider.post(`${path}/take`, { database: databaseId })).status).toBe(404);
    const response = await owner.post(`${path}/take`, { database: databaseId, objects: ['c'] });
    expect(response).toMatchObject({ status: 200, json: { taken: ['c'] } });
    expect(await draftTables()).toEqual(['a', 'b', 'c', 'late']);
    const untaken = async (): Promise<string[]> =>
      (await owner.get(`/api/projects/${projectId}/drift`)).json['databases'][0].direct;
    expect(await untaken()).toEqual(['a', 'b']);

    // The connection added `b`. The draft drops `a`, which the connection changed.
    await owner.put(path, { sql: 'DROP TABLE a', mode: 'apply' });
    expect(await owner.post(`${path}/take`, { database: databaseId })).toMatchObject({
      status: 409,
      json: { code: 'schema.needs_confirmation', objects: ['a'] },
    });
    expect(
      (await owner.post(`${path}/take`, { database: databaseId, objects: ['a', 'b', 'c'] })).json['taken'],
    ).toEqual(['a', 'b', 'c']);
    expect(await draftTables()).toEqual(['a', 'c', 'late']);
    expect(await untaken()).toEqual([]);
    // After an object was adopted, edits of it are changes of the draft and are not listed. A new change over
    // the connection is listed again.
    await owner.put(path, { sql: 'ALTER TABLE c ADD COLUMN own int', mode: 'apply' });
    expect(await untaken()).toEqual([]);
    await changeDirectly(['a', 'c'], 'c');
    expect(await untaken()).toContain('c');
  });

  it('waiting migrations of a database are listed in order', async () => {
    plane.worker.holdsMigrations = true;
    await plane.db.cell.query(`UPDATE migration SET state = 'published' WHERE database_id = ?`, [databaseId]);
    for (const id of ['mig_first', 'mig_second']) {
      await plane.db.cell.query(
        `INSERT INTO migration (id, cell_id, project_id, database_id, server_id, revision, state, base_number, plan, plan_hash, target_hash, created_by, created_at)
         SELECT ?, cell_id, project_id, database_id, server_id, revision, 'queued', base_number, plan, plan_hash, target_hash, created_by, UTC_TIMESTAMP(3) FROM migration WHERE database_id = ? LIMIT 1`,
        [id, databaseId],
      );
    }
    const queue = await owner.get(`/api/databases/${databaseId}/queue`);
    expect(queue).toMatchObject({
      status: 200,
      json: { items: [{ id: 'mig_first', state: 'queued' }, { id: 'mig_second' }], is_locked: false },
    });
    expect((await outsider.get(`/api/databases/${databaseId}/queue`)).status).toBe(404);
    await owner.post('/api/migrations/mig_first/cancel');
    expect((await owner.get(`/api/databases/${databaseId}/queue`)).json['items']).toMatchObject([
      { id: 'mig_second' },
    ]);
    await owner.post('/api/migrations/mig_second/cancel');
  });
});
