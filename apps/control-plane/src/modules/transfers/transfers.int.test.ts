import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import type { TransferManifest } from '@rowhouse/contracts';
import { IsNull } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deleteOldKeyUse } from '../sweeper.js';
import { BackupSchedule } from './backup-schedule.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { TransferFiles } from './transfer-files.js';
import { ShareLink } from '../../platform-db/entities/share-link.js';
import { copyDatabases } from '../../testing/copy-databases.js';
import { makeTable } from '../../testing/scripted-worker.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../../testing/test-client.js';

describe('files, share links and clones', () => {
  let plane: TestControlPlane;
  let owner: TestClient;
  let outsider: TestClient;
  let projectId: string;
  let databaseId: string;
  let organizationId: string;

  beforeAll(async () => {
    plane = await startTestControlPlane();
    [owner, outsider] = [new TestClient(plane.app), new TestClient(plane.app)];
    const signup = await owner.signUp('files@example.test', { starter: 'empty', project: 'Secret name' });
    projectId = signup.json['project'].id as string;
    organizationId = signup.json['project'].organization_id as string;
    databaseId = signup.json['databases'].find(
      (database: { environment: string }) => database.environment === 'development',
    ).id as string;
    await outsider.signUp('nosy-files@example.test', { starter: 'empty' });
    await owner.put(`/api/projects/${projectId}/schema`, { sql: 'CREATE TABLE notes (id int)' });
    await owner.post(`/api/projects/${projectId}/deploy`, { targets: [{ database: databaseId }] });
    await vi.waitUntil(
      async () => (await owner.get(`/api/databases/${databaseId}`)).json['snapshot_number'] === 2,
      { timeout: 20_000 },
    );
  }, 60_000);
  afterAll(() => plane?.stop());

  /** Does what the worker does with a file, because the scripted worker only marks the file as complete. */
  async function writeFile(
    id: string,
    manifest: Partial<TransferManifest>,
    chunks: readonly string[] = [],
  ): Promise<void> {
    const { contentHash, body } = await encodeSnapshot({
      format: 1,
      engine: 'mariadb',
      tables: [
        {
          ...makeTable('notes'),
          triggers: [
            {
              name: 't',
              timing: 'BEFORE',
              event: 'INSERT',
              createSql: 'CREATE TRIGGER `t` BEFORE INSERT ON `notes` FOR EACH ROW SET @a = 1',
            },
          ],
        },
      ],
    });
    for (const [ordinal, text] of chunks.entries())
      await plane.db.cell.query(
        `INSERT INTO transfer_chunk (cell_id, file_id, generation, ordinal, table_name, rows_count, body) VALUES (?, ?, 1, ?, 'notes', 1, ?)`,
        [plane.db.cellId, id, ordinal, gzipSync(Buffer.from(text))],
      );
    const full: TransferManifest = {
      tables: [{ name: 'notes', rows: 2, digest: null, nextNumber: '7' }],
      notes: [],
      problems: [],
      problemsTotal: 0,
      ...manifest,
    };
    await plane.db.cell.query(
      `UPDATE transfer_file SET state = 'ready', generation = 1, chunks = ?, content_hash = ?, schema_body = ?, manifest = ?, rows_total = 2 WHERE id = ?`,
      [chunks.length, contentHash, body, JSON.stringify(full), id],
    );
  }
  const exportIt = async (): Promise<string> =>
    (await owner.post(`/api/databases/${databaseId}/export`)).json['id'] as string;
  const upload = (
    client: TestClient,
    body: string,
    type = 'application/sql',
    path = `/api/projects/${projectId}/schema/import`,
  ): Promise<TestResponse> => client.post(path, body, { 'content-type': type });
  async function download(client: TestClient, path: string): Promise<{ status: number; bytes: Buffer }> {
    const res = await plane.app.inject({
      method: 'GET',
      url: path,
      headers: client.cookie === undefined ? {} : { cookie: client.cookie },
    });
    return { status: res.statusCode, bytes: res.rawPayload };
  }

  it('an export is downloaded as a single gzip of SQL and can be deleted', async () => {
    const id = await exportIt();
    expect(plane.worker.seen.at(-1)).toMatchObject({
      kind: 'export_database',
      payload: { file_id: id, database_id: databaseId, tables: null, leaves_hidden_out: false },
    });
    expect((await owner.get(`/api/projects/${projectId}/files/${id}/download`)).status).toBe(409);
    await writeFile(id, {}, ['INSERT INTO `notes` VALUES (1);\n', 'INSERT INTO `notes` VALUES (2);\n']);
    const listed = await owner.get(`/api/projects/${projectId}/files`);
    expect(listed.json['items']).toMatchObject([
      {
        id,
        kind: 'export',
        state: 'ready',
        database: databaseId,
        rows: 2,
        tables: [{ name: 'notes', rows: 2 }],
        revision: 1,
      },
    ]);
    const { status, bytes } = await download(owner, `/api/projects/${projectId}/files/${id}/download`);
    expect(status).toBe(200);
    const text = gunzipSync(bytes).toString();
    expect(text.indexOf('CREATE TABLE')).toBeLessThan(text.indexOf('VALUES (1)'));
    expect(text.indexOf('VALUES (2)')).toBeLessThan(text.indexOf('AUTO_INCREMENT = 7'));
    expect(text.indexOf('VALUES (2)')).toBeLessThan(text.indexOf('CREATE TRIGGER'));
    expect(await owner.post(`/api/databases/${databaseId}/export`, { tables: ['note'] })).toMatchObject({
      status: 422,
      json: {
        detail: [{ loc: ['body', 'tables', 0], msg: 'The table note does not exist.' }],
        hint: 'Did you mean notes?',
      },
    });
    expect((await owner.delete(`/api/projects/${projectId}/files/${id}`)).status).toBe(204);
    expect((await owner.get(`/api/projects/${projectId}/files/${id}`)).status).toBe(404);
    expect(
      await plane.db.cell.query('SELECT COUNT(*) AS n FROM transfer_chunk WHERE file_id = ?', [id]),
    ).toEqual([{ n: '0' }]);
  });

  it('an export or upload leaves no file behind when no worker can be notified', async () => {
    const count = async (): Promise<number> =>
      ((await owner.get(`/api/projects/${projectId}/files`)).json['items'] as unknown[]).length;
    const before = await count();
    plane.worker.ignored.add('seed_rows');
    for (let queued = 0; queued < 100; queued += 1)
      await plane.app
        .get(TaskRunner)
        .enqueue('seed_rows', { database_id: databaseId, tables: {} } as never, { projectId });
    expect([
      (await owner.post(`/api/databases/${databaseId}/export`)).status,
      (await upload(owner, 'SELECT 1;')).status,
      await count(),
    ]).toEqual([429, 429, before]);
    await plane.db.cell.query("DELETE FROM task WHERE kind = 'seed_rows' AND project_id = ?", [projectId]);
    plane.worker.ignored.delete('seed_rows');
  });

  it('automatic backups start when the last one is old enough, only for databases with the setting', async () => {
    const schedule = plane.app.get(BackupSchedule);
    const created = async (): Promise<{ id: string }[]> =>
      plane.db.cell.query<{ id: string }[]>(
        "SELECT id FROM transfer_file WHERE database_id = ? AND created_by = 'schedule' ORDER BY created_at, id",
        [databaseId],
      );
    const age = (id: string, hours: number): Promise<unknown> =>
      plane.db.cell.query(
        'UPDATE transfer_file SET created_at = UTC_TIMESTAMP(3) - INTERVAL ? HOUR WHERE id = ?',
        [hours, id],
      );
    expect(await schedule.run()).toEqual([]);
    expect(
      (await owner.patch(`/api/databases/${databaseId}`, { settings: { backup_every_hours: 1 } })).status,
    ).toBe(422);
    expect(
      (await outsider.patch(`/api/databases/${databaseId}`, { settings: { backup_every_hours: 24 } })).status,
    ).toBe(404);
    expect(
      (await owner.patch(`/api/databases/${databaseId}`, { settings: { backup_every_hours: 24 } })).json,
    ).toMatchObject({ settings: { backup_every_hours: 24 } });
    // A manual export is not a scheduled backup, because it may contain only some tables.
    const manual = await exportIt();
    expect(await schedule.run()).toEqual([databaseId]);
    expect(plane.worker.seen.at(-1)).toMatchObject({
      kind: 'export_database',
      payload: { database_id: databaseId, tables: null, leaves_hidden_out: false },
    });
    const [first] = await created();
    await writeFile(first?.id ?? '', {});
    await age(first?.id ?? '', 23);
    expect(await schedule.run()).toEqual([]);
    await age(first?.id ?? '', 25);
    expect(await schedule.run()).toEqual([databaseId]);
    const second = (await created()).at(-1)?.id ?? '';
    await plane.db.cell.query("UPDATE transfer_file SET state = 'failed' WHERE id = ?", [second]);
    expect(await schedule.run()).toEqual([]);
    await age(second, 2);
    expect(await schedule.run()).toEqual([databaseId]);
    await owner.patch(`/api/databases/${databaseId}`, { settings: { backup_every_hours: null } });
    await plane.db.cell.query(
      "UPDATE transfer_file SET created_at = UTC_TIMESTAMP(3) - INTERVAL 9 DAY WHERE created_by = 'schedule'",
    );
    expect(await schedule.run()).toEqual([]);
    for (const { id } of [...(await created()), { id: manual }])
      await owner.delete(`/api/projects/${projectId}/files/${id}`);
  });

  it('an upload is accepted in pieces, compressed or not', async () => {
    const answer = await upload(owner, `CREATE TABLE a (id int); -- ${'x'.repeat(1_200_000)}`);
    expect(answer).toMatchObject({ status: 202, json: { kind: 'import', state: 'writing' } });
    const chunks = await plane.db.cell.query<{ body: Buffer }[]>(
      'SELECT body FROM transfer_chunk WHERE file_id = ? ORDER BY ordinal',
      [answer.json['id']],
    );
    expect(chunks.length).toBeGreaterThan(0);
    expect(gunzipSync(Buffer.concat(chunks.map((chunk) => chunk.body))).toString()).toContain(
      'CREATE TABLE a',
    );
    expect(plane.worker.seen.at(-1)).toMatchObject({
      kind: 'read_import',
      payload: { mode: 'apply', base_revision: 1, project_id: projectId },
    });
    expect(await upload(owner, '')).toMatchObject({ status: 422, json: { code: 'transfer.unreadable' } });
    expect(await upload(owner, '{}', 'application/json')).toMatchObject({ status: 415 });
    expect(await upload(owner, 'x', 'text/plain', `/api/projects/${projectId}/deploy`)).toMatchObject({
      status: 415,
    });
    expect(
      await upload(owner, 'x', 'text/plain', `/api/projects/${projectId}/schema/import?mode=other`),
    ).toMatchObject({ status: 422 });
    plane.worker.failures.set('read_import', {
      code: 'transfer.unreadable',
      detail: 'The file contains no statements.',
    });
    expect(await upload(owner, 'x', 'text/plain')).toMatchObject({
      status: 422,
      json: { code: 'transfer.unreadable' },
    });
    plane.worker.failures.clear();
  });

  it('uploaded files create databases and load rows, one load at a time', async () => {
    const id = await exportIt();
    expect(
      await owner.post(`/api/databases/${databaseId}/restore`, { file: id, environment: 'copy' }),
    ).toMatchObject({ status: 409, json: { code: 'transfer.not_possible' } });
    await writeFile(id, { hiddenColumns: { notes: ['secret'] } });
    expect(
      await owner.post(`/api/databases/${databaseId}/restore`, { file: id, environment: 'production' }),
    ).toMatchObject({ status: 409, json: { code: 'resource.conflict' } });
    const restored = await owner.post(`/api/databases/${databaseId}/restore`, {
      file: id,
      environment: 'copy',
    });
    expect(restored).toMatchObject({
      status: 202,
      json: {
        database: {
          environment: 'copy',
          state: 'pending',
          settings: { hidden_columns: { notes: ['secret'] } },
        },
        load: { kind: 'restore', state: 'queued', rows_total: 2, file: id },
      },
    });
    expect(plane.worker.seen.at(-1)).toMatchObject({
      kind: 'restore_database',
      payload: { file_id: id, revision: 1 },
    });

    plane.worker.ignored.add('load_rows');
    const loading = owner.post(`/api/databases/${databaseId}/loads`, { file: id });
    await expect
      .poll(async () => (await owner.get(`/api/databases/${databaseId}/loads`)).json['items'].length)
      .toBe(1);
    expect(await owner.post(`/api/databases/${databaseId}/loads`, { file: id })).toMatchObject({
      status: 409,
      json: { code: 'transfer.not_possible' },
    });
    expect(await owner.delete(`/api/projects/${projectId}/files/${id}`)).toMatchObject({ status: 409 });
    const load = (await owner.get(`/api/databases/${databaseId}/loads`)).json['items'][0].id as string;
    expect((await owner.post(`/api/databases/${databaseId}/loads/${load}/retry`)).status).toBe(409);
    expect((await owner.post(`/api/databases/${databaseId}/loads/${load}/cancel`)).json).toMatchObject({
      state: 'cancelled',
    });
    plane.worker.ignored.clear();
    expect((await loading).json).toMatchObject({ kind: 'rows', state: 'cancelled' });
    expect((await owner.post(`/api/databases/${databaseId}/loads/${load}/retry`)).json).toMatchObject({
      id: load,
      state: 'queued',
    });
    await owner.post(`/api/databases/${databaseId}/loads/${load}/cancel`);
    const simultaneous = await Promise.all(
      [1, 2, 3].map(() => owner.post(`/api/databases/${databaseId}/loads`, { file: id })),
    );
    expect(simultaneous.map(({ status }) => status).sort((item, other) => item - other)).toEqual([
      202, 409, 409,
    ]);
    expect(await owner.post(`/api/databases/${databaseId}/loads/${load}/retry`)).toMatchObject({
      status: 409,
      json: { code: 'transfer.not_possible' },
    });
    for (const codePath of [`loads/${load}`, 'loads'])
      expect((await outsider.get(`/api/databases/${databaseId}/${codePath}`)).status).toBe(404);
  });

  it('a load that cannot be queued leaves nothing behind', async () => {
    const id = await exportIt();
    await writeFile(id, {});
    const count = async (): Promise<number> =>
      (await owner.get(`/api/databases/${databaseId}/loads`)).json['items'].length as number;
    for (const { id: load } of (await owner.get(`/api/databases/${databaseId}/loads`)).json['items'])
      await owner.post(`/api/databases/${databaseId}/loads/${load}/cancel`);
    const [before, [{ id: cancelled }]] = [
      await count(),
      (await owner.get(`/api/databases/${databaseId}/loads`)).json['items'],
    ];
    const full = vi
      .spyOn(plane.app.get(TaskRunner), 'insert')
      .mockRejectedValue(new AppError('limit.concurrency'));
    const loads = `/api/databases/${databaseId}/loads`;
    const statuses = [
      (await owner.post(loads, { file: id })).status,
      (await owner.post(`${loads}/${cancelled}/retry`)).status,
      (await owner.post(`/api/databases/${databaseId}/export`)).status,
    ];
    full.mockRestore();
    expect(statuses).toEqual([429, 429, 429]);
    expect(await count()).toBe(before);
    expect((await owner.get(`${loads}/${cancelled}`)).json['state']).toBe('cancelled');
    const started = await owner.post(loads, { file: id });
    expect(started.status).toBe(202);
    await owner.post(`${loads}/${started.json['id']}/cancel`);
  });

  it.each(['load', 'restore'])('a file cannot be deleted while a %s of it starts', async (kind) => {
    const id = await exportIt();
    await writeFile(id, {});
    const audit = plane.app.get(AuditWriter);
    const record = audit.record.bind(audit);
    let deletion: Promise<TestResponse> | undefined;
    const paused = vi.spyOn(audit, 'record').mockImplementation(async (manager, context, note) => {
      if (note.action === `database.${kind}` && deletion === undefined) {
        deletion = owner.delete(`/api/projects/${projectId}/files/${id}`);
        await Promise.race([deletion, pause(500)]);
      }
      return record(manager, context, note);
    });
    const path = `/api/databases/${databaseId}/${kind === 'load' ? 'loads' : 'restore'}`;
    const started = await owner.post(path, {
      file: id,
      ...(kind === 'load' ? {} : { environment: 'copy-two' }),
    });
    paused.mockRestore();
    expect(started.status).toBe(202);
    expect(await deletion).toMatchObject({ status: 409, json: { code: 'transfer.not_possible' } });
    if (kind === 'load') await owner.post(`${path}/${started.json['id']}/cancel`);
  });

  it('a load of a file that was deleted a moment ago is rejected', async () => {
    const id = await exportIt();
    await writeFile(id, {});
    const files = plane.app.get(TransferFiles);
    const stale = await files.findReady(projectId, id);
    await files.end(id);
    const findStale = vi.spyOn(files, 'findReady').mockResolvedValue(stale);
    const started = await owner.post(`/api/databases/${databaseId}/loads`, { file: id });
    findStale.mockRestore();
    expect(started).toMatchObject({ status: 404, json: { code: 'resource.not_found' } });
  });

  it('a share link shows only the schema, until the link is revoked', async () => {
    const shared = await owner.post(`/api/projects/${projectId}/share`, { name: 'Notes' });
    expect(shared).toMatchObject({
      status: 201,
      json: { name: 'Notes', data: false, state: 'ready', clones: 0 },
    });
    const { token, id } = shared.json as unknown as { token: string; id: string };
    expect(shared.json['url']).toBe(`http://127.0.0.1:9/clone/${token}`);
    expect(JSON.stringify((await owner.get(`/api/projects/${projectId}/shares`)).json)).not.toContain(token);
    const [row] = await plane.db.cell.query<Record<string, unknown>[]>(
      'SELECT * FROM share_link WHERE id = ?',
      [id],
    );
    expect(JSON.stringify(row)).not.toContain(token);

    expect((await new TestClient(plane.app).get(`/api/clone/${token}`)).status).toBe(401);
    const preview = await outsider.get(`/api/clone/${token}`);
    expect(preview).toMatchObject({
      status: 200,
      json: { name: 'Notes', data: false, tables: [{ name: 'notes', rows: 0 }], expires_at: null },
    });
    for (const secret of [projectId, databaseId, organizationId, 'Secret name', 'files@example.test'])
      expect(JSON.stringify(preview.json)).not.toContain(secret);
    // Later changes of the draft are not visible through the link.
    await owner.put(`/api/projects/${projectId}/schema`, {
      sql: 'CREATE TABLE private (id int)',
      mode: 'apply',
    });
    expect((await outsider.get(`/api/clone/${token}`)).json['sql']).not.toContain('private');

    const cloned = await outsider.post(`/api/clone/${token}`, { name: 'Mine' });
    expect(cloned).toMatchObject({ status: 201, json: { name: 'Mine', load: null } });
    expect(cloned.json['databases']).toHaveLength(2);
    expect(cloned.json['migrations']).toHaveLength(2);
    expect((await outsider.get(`/api/projects/${cloned.json['id'] as string}/schema`)).json).toMatchObject({
      revision: 1,
      sql: expect.stringContaining('notes') as unknown,
    });
    expect((await owner.get(`/api/projects/${cloned.json['id'] as string}`)).status).toBe(404);
    expect((await owner.get(`/api/projects/${projectId}/shares`)).json['items']).toMatchObject([
      { id, clones: 1 },
    ]);

    expect((await outsider.delete(`/api/projects/${projectId}/shares/${id}`)).status).toBe(404);
    expect((await outsider.delete(`/api/projects/${cloned.json['id'] as string}/shares/${id}`)).status).toBe(
      404,
    );
    expect((await owner.delete(`/api/projects/${projectId}/shares/${id}`)).status).toBe(204);
    for (const used of [token, 'share_nonsense']) {
      expect(await outsider.get(`/api/clone/${used}`)).toMatchObject({
        status: 404,
        json: { detail: 'The share link does not exist.' },
      });
      expect(await outsider.post(`/api/clone/${used}`, {})).toMatchObject({
        status: 404,
        json: { detail: 'The share link does not exist.' },
      });
    }
  });

  it('deleting a database revokes the share link to its rows', async () => {
    const { json } = await owner.post(`/api/projects/${projectId}/databases`, { environment: 'shared' });
    const { id, token } = (await owner.post(`/api/projects/${projectId}/share`, {})).json;
    await plane.db.cell.query(
      'UPDATE transfer_file SET database_id = ? WHERE id = (SELECT file_id FROM share_link WHERE id = ?)',
      [json['id'], id],
    );
    expect((await outsider.get(`/api/clone/${token}`)).status).toBe(200);
    expect((await owner.delete(`/api/databases/${json['id']}`, { confirm: 'shared' })).status).toBe(204);
    expect((await outsider.get(`/api/clone/${token}`)).status).toBe(404);
    expect((await owner.get(`/api/projects/${projectId}/shares`)).json['items']).toContainEqual(
      expect.objectContaining({ id, revoked_at: expect.any(String) as unknown }),
    );
  });

  it('active share links are limited and listed before ended ones', async () => {
    const first = await owner.post(`/api/projects/${projectId}/share`, { name: 'first of many' });
    const listIds = async (): Promise<string[]> =>
      (await owner.get(`/api/projects/${projectId}/shares`)).json['items'].map(
        (item: { id: string }) => item.id,
      );
    const links = plane.db.cell.getRepository(ShareLink);
    const row = await links.findOneByOrFail({ id: first.json['id'] as string });
    const copy = (count: number, revokedAt: Date | null): Promise<unknown> =>
      links.insert(
        Array.from({ length: count }, () => ({
          ...row,
          id: createId('shr'),
          tokenHash: randomBytes(32),
          createdAt: new Date(row.createdAt.getTime() + 1_000),
          revokedAt,
        })),
      );
    await copy(250, new Date());
    expect(await listIds()).toContain(row.id);
    const live = await links.countBy({ projectId, revokedAt: IsNull() });
    await copy(199 - live, null);
    expect((await owner.post(`/api/projects/${projectId}/share`, {})).status).toBe(201);
    expect(await owner.post(`/api/projects/${projectId}/share`, {})).toMatchObject({
      status: 409,
      json: { code: 'resource.conflict' },
    });
    expect(await listIds()).toContain(row.id);
    expect((await owner.delete(`/api/projects/${projectId}/shares/${row.id}`)).status).toBe(204);
    expect((await owner.post(`/api/projects/${projectId}/share`, {})).status).toBe(201);
    await links.delete({ projectId });
  });

  it('only an owner can create a share link with data', async () => {
    const admin = new TestClient(plane.app);
    await admin.signUp('admin-files@example.test', { starter: 'empty' });
    const account = (await admin.get('/api/me')).json['account'].id as string;
    await plane.db.global.query(
      `INSERT INTO membership (organization_id, account_id, role, created_at) VALUES (?, ?, 'admin', UTC_TIMESTAMP(3))`,
      [organizationId, account],
    );
    expect((await admin.post(`/api/projects/${projectId}/share`, {})).status).toBe(201);
    expect(
      await admin.post(`/api/projects/${projectId}/share`, { data: true, database: 'development' }),
    ).toMatchObject({ status: 403, json: { code: 'auth.role' } });
    await plane.db.global.query(
      `UPDATE membership SET role = 'developer' WHERE organization_id = ? AND account_id = ?`,
      [organizationId, account],
    );
    expect((await admin.post(`/api/projects/${projectId}/share`, {})).status).toBe(403);

    expect((await owner.post(`/api/projects/${projectId}/share`, { data: true })).status).toBe(422);
    expect((await owner.post(`/api/projects/${projectId}/share`, { tables: ['notes'] })).status).toBe(422);
    const shared = await owner.post(`/api/projects/${projectId}/share`, {
      data: true,
      database: 'development',
      tables: ['notes'],
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect(shared).toMatchObject({ status: 201, json: { data: true } });
    const task = plane.worker.seen.at(-1);
    expect(task).toMatchObject({
      kind: 'export_database',
      payload: { tables: ['notes'], leaves_hidden_out: true },
    });
    const token = shared.json['token'] as string;
    expect((await outsider.get(`/api/clone/${token}`)).status).toBe(409);
    await writeFile(String(task?.payload['file_id']), {});
    expect((await outsider.get(`/api/clone/${token}`)).json).toMatchObject({
      data: true,
      tables: [{ name: 'notes', rows: 2 }],
    });
    // Files of share links cannot be downloaded.
    expect(
      (await owner.get(`/api/projects/${projectId}/files`)).json['items'].map(
        (file: { kind: string }) => file.kind,
      ),
    ).not.toContain('share');
    const cloned = await outsider.post(`/api/clone/${token}`);
    expect(cloned).toMatchObject({ status: 201, json: { load: { kind: 'restore', rows_total: 2 } } });
    expect(plane.worker.seen.filter((seen) => seen.kind === 'restore_database').at(-1)).toMatchObject({
      payload: { revision: 1 },
    });
    await plane.db.cell.query(
      'UPDATE share_link SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id = ?',
      [shared.json['id']],
    );
    expect((await outsider.get(`/api/clone/${token}`)).status).toBe(404);
  });

  it('other tenants have no access to files and share links', async () => {
    const id = await exportIt();
    await writeFile(id, {});
    const attempts: readonly (readonly [method: 'GET' | 'POST' | 'DELETE', path: string])[] = [
      ['POST', `/api/databases/${databaseId}/export`],
      ['POST', `/api/databases/${databaseId}/restore`],
      ['POST', `/api/databases/${databaseId}/loads`],
      ['GET', `/api/projects/${projectId}/files`],
      ['GET', `/api/projects/${projectId}/files/${id}`],
      ['GET', `/api/projects/${projectId}/files/${id}/download`],
      ['DELETE', `/api/projects/${projectId}/files/${id}`],
      ['POST', `/api/projects/${projectId}/share`],
      ['GET', `/api/projects/${projectId}/shares`],
    ];
    for (const [method, path] of attempts)
      expect({
        path,
        status: (
          await outsider.send(method, path, method === 'POST' ? { file: id, environment: 'x' } : undefined)
        ).status,
      }).toEqual({ path, status: 404 });
    expect((await upload(outsider, 'CREATE TABLE a (id int)')).status).toBe(404);
    // The outsider's own project gives no access to a file of another project.
    const own = (await outsider.get('/api/projects')).json['items'][0] as {
      id: string;
      databases: { id: string }[];
    };
    for (const codePath of ['', '/download'])
      expect((await outsider.get(`/api/projects/${own.id}/files/${id}${codePath}`)).status).toBe(404);
    expect(
      (
        await outsider.post(`/api/databases/${own.databases[0]?.id ?? ''}/restore`, {
          file: id,
          environment: 'stolen',
        })
      ).status,
    ).toBe(404);
    expect(
      (await outsider.post(`/api/databases/${own.databases[0]?.id ?? ''}/loads`, { file: id })).status,
    ).toBe(404);
  });

  it('the number and size of files are limited under concurrency', async () => {
    const crowd = new TestClient(plane.app);
    const signup = await crowd.signUp('many-files@example.test', { starter: 'empty' });
    const [own, database] = [signup.json['project'].id as string, signup.json['databases'][0].id as string];
    const put = async (count: number, kind: string, state: string, bytes = 0): Promise<void> => {
      await plane.db.cell.query('DELETE FROM transfer_file WHERE project_id = ?', [own]);
      for (let index = 0; index < count; index += 1)
        await plane.db.cell.query(
          `INSERT INTO transfer_file (id, cell_id, project_id, kind, state, bytes, created_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, 'a', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 DAY)`,
          [`fil_${own.slice(-12)}${index}`, plane.db.cellId, own, kind, state, bytes],
        );
    };
    const exportOwn = (): Promise<TestResponse> => crowd.post(`/api/databases/${database}/export`);
    const importOwn = (): Promise<TestResponse> =>
      upload(crowd, 'CREATE TABLE a (id int)', 'application/sql', `/api/projects/${own}/schema/import`);
    await put(49, 'export', 'ready');
    expect(
      (await Promise.all([exportOwn(), exportOwn(), importOwn()]))
        .map(({ status }) => status)
        .sort((item, other) => item - other),
    ).toEqual([202, 409, 409]);
    await put(10, 'export', 'ready', 4 * 1024 ** 3);
    expect(await exportOwn()).toMatchObject({
      status: 409,
      json: { code: 'transfer.too_many', detail: expect.stringContaining('40 GiB') as unknown },
    });
    const other = (await crowd.post('/api/projects', { name: 'Other' })).json['id'];
    await put(13, 'export', 'ready', 4 * 1024 ** 3);
    await plane.db.cell.query('UPDATE transfer_file SET project_id = ? WHERE project_id = ?', [other, own]);
    expect(await exportOwn()).toMatchObject({
      status: 409,
      json: { code: 'transfer.too_many', detail: expect.stringContaining('50 GiB') as unknown },
    });
    await plane.db.cell.query(
      "UPDATE transfer_file SET project_id = 'prj_elsewhere', bytes = 4 * bytes WHERE project_id = ?",
      [other],
    );
    expect(await exportOwn()).toMatchObject({
      status: 409,
      json: { code: 'transfer.too_many', detail: expect.stringContaining('installation') as unknown },
    });
    await plane.db.cell.query("DELETE FROM transfer_file WHERE project_id = 'prj_elsewhere'");
    await put(5, 'import', 'writing');
    expect(await importOwn()).toMatchObject({
      status: 409,
      json: { code: 'transfer.too_many', detail: expect.stringContaining('5 imports') as unknown },
    });
    expect((await exportOwn()).status).toBe(202);
  });

  it('a file that is deleted during its upload leaves nothing behind', async () => {
    const files = plane.app.get(TransferFiles);
    const file = await files.insert({
      projectId,
      kind: 'import',
      databaseId: null,
      revision: null,
      createdBy: 'a',
    });
    await files.writeUpload(file.id, 0, gzipSync('first'));
    expect((await files.rows.findOneByOrFail({ id: file.id })).bytes).toBe(gzipSync('first').length);
    expect((await owner.delete(`/api/projects/${projectId}/files/${file.id}`)).status).toBe(204);
    await expect(files.writeUpload(file.id, 1, gzipSync('second'))).rejects.toMatchObject({
      code: 'resource.not_found',
    });
    expect(
      await plane.db.cell.query('SELECT COUNT(*) AS n FROM transfer_chunk WHERE file_id = ?', [file.id]),
    ).toEqual([{ n: '0' }]);
  });

  it('automatic backups continue after databases that cannot have one', async () => {
    const full = `prj_${'full'.repeat(5)}`;
    for (let index = 0; index < 50; index += 1)
      await plane.db.cell.query(
        `INSERT INTO transfer_file (id, cell_id, project_id, kind, state, created_by, created_at, expires_at) VALUES (?, ?, ?, 'export', 'ready', 'a', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 DAY)`,
        [`fil_full${index}`, plane.db.cellId, full],
      );
    await copyDatabases(plane.db, databaseId, 20, {
      projectId: full,
      settings: '{"backup_every_hours": 24}',
    });
    await plane.db.cell.query("DELETE FROM transfer_file WHERE database_id = ? AND created_by = 'schedule'", [
      databaseId,
    ]);
    await owner.patch(`/api/databases/${databaseId}`, { settings: { backup_every_hours: 24 } });
    const schedule = plane.app.get(BackupSchedule);
    // Automatic backups check a random sample, which misses this database in one of 21 checks.
    await expect
      .poll(async () => {
        await schedule.run().catch(() => undefined);
        return (
          await plane.db.cell.query<unknown[]>(
            "SELECT 1 FROM transfer_file WHERE database_id = ? AND created_by = 'schedule'",
            [databaseId],
          )
        ).length;
      })
      .toBe(1);
    await owner.patch(`/api/databases/${databaseId}`, { settings: { backup_every_hours: null } });
    for (const table of ['tenant_database', 'transfer_file'])
      await plane.db.cell.query(`DELETE FROM ${table} WHERE project_id = ?`, [full]);
  });

  it('expired files and old records of key use are deleted', async () => {
    const id = await exportIt();
    await writeFile(id, {}, ['x', 'y']);
    await plane.db.cell.query(
      'UPDATE transfer_file SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id = ?',
      [id],
    );
    expect((await owner.get(`/api/projects/${projectId}/files/${id}`)).status).toBe(404);
    const files = plane.app.get(TransferFiles);
    await plane.db.cell.query(
      `INSERT INTO transfer_load (id, cell_id, project_id, database_id, file_id, kind, state, created_by, created_at) VALUES ('lod_busy', ?, ?, ?, ?, 'rows', 'running', 'a', UTC_TIMESTAMP(3))`,
      [plane.db.cellId, projectId, databaseId, id],
    );
    expect(await files.sweep()).not.toContain(id);
    await plane.db.cell.query(`UPDATE transfer_load SET state = 'done' WHERE id = 'lod_busy'`);
    expect(await files.sweep()).toContain(id);
    expect(
      await plane.db.cell.query(
        'SELECT (SELECT COUNT(*) FROM transfer_chunk WHERE file_id = ?) + (SELECT COUNT(*) FROM transfer_file WHERE id = ?) AS n',
        [id, id],
      ),
    ).toEqual([{ n: '0' }]);

    for (const days of [29, 31, 41])
      await plane.db.cell.query(
        `INSERT INTO key_use_day (cell_id, database_id, key_id, day, route, requests, last_at) VALUES (?, ?, 'key', UTC_DATE() - INTERVAL ? DAY, 'GET /x', 1, UTC_TIMESTAMP())`,
        [plane.db.cellId, databaseId, days],
      );
    await deleteOldKeyUse(plane.db);
    expect(
      await plane.db.cell.query(
        'SELECT DATEDIFF(UTC_DATE(), day) AS days FROM key_use_day WHERE database_id = ? ORDER BY day',
        [databaseId],
      ),
    ).toEqual([{ days: 31 }, { days: 29 }]);
  });
});
