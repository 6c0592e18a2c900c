import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClient } from '../testing/test-client.js';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';
import { TaskRunner } from './task-runner.js';

describe('TaskRunner', () => {
  let plane: TestControlPlane;
  beforeAll(async () => {
    plane = await startTestControlPlane();
  }, 60_000);
  afterAll(() => plane?.stop());

  it('a project can queue a hundred tasks, and accounts can still be removed', async () => {
    const tasks = plane.app.get(TaskRunner);
    plane.worker.ignored.add('seed_rows');
    const seed = (projectId: string): Promise<string> =>
      tasks.enqueue('seed_rows', { database_id: 'db_x', tables: {} } as never, { projectId });
    for (let queued = 0; queued < 100; queued += 1) await seed('prj_busy');
    await expect(seed('prj_busy')).rejects.toMatchObject({ code: 'limit.concurrency', retryAfterSeconds: 5 });
    expect(await seed('prj_other')).toMatch(/^tsk_/);
    plane.worker.ignored.add('revoke_connection');
    expect(
      await tasks.enqueue(
        'revoke_connection',
        { connection_id: 'con_x', database_id: 'db_x', user_name: 'ux' },
        { projectId: 'prj_busy' },
      ),
    ).toMatch(/^tsk_/);
  });

  it('a project can queue a hundred password changes, and too many grants are rejected in advance', async () => {
    const tasks = plane.app.get(TaskRunner);
    for (const kind of ['rotate_connection', 'grant_rights'] as const) plane.worker.ignored.add(kind);
    for (let queued = 0; queued < 100; queued += 1)
      await tasks.enqueue('rotate_connection', {} as never, { projectId: 'prj_turning' });
    await expect(
      tasks.enqueue('rotate_connection', {} as never, { projectId: 'prj_turning' }),
    ).rejects.toMatchObject({ code: 'limit.concurrency' });
    for (let queued = 0; queued < 400; queued += 1)
      await tasks.enqueue('grant_rights', {} as never, { projectId: 'prj_granting' });
    await expect(tasks.assertCapacityForGrants('prj_granting')).rejects.toMatchObject({
      code: 'limit.concurrency',
      retryAfterSeconds: 5,
    });
    await tasks.assertCapacityForGrants('prj_turning');
    await plane.db.cell.query("DELETE FROM task WHERE project_id IN ('prj_turning', 'prj_granting')");
    for (const kind of ['rotate_connection', 'grant_rights'] as const) plane.worker.ignored.delete(kind);
  });

  it('an account can queue three hundred tasks over all its projects', async () => {
    const tasks = plane.app.get(TaskRunner);
    plane.worker.ignored.add('seed_rows');
    const seed = (projectId: string, accountId: string): Promise<string> =>
      tasks.enqueue('seed_rows', { database_id: 'db_x', tables: {} } as never, { projectId, accountId });
    for (let queued = 0; queued < 300; queued += 1) await seed(`prj_${queued % 4}`, 'acc_busy');
    await expect(seed('prj_5', 'acc_busy')).rejects.toMatchObject({ code: 'limit.concurrency' });
    expect(await seed('prj_5', 'acc_other')).toMatch(/^tsk_/);
  });

  it("a task counts against the limit of its caller or the project's creator", async () => {
    const client = new TestClient(plane.app);
    const { json } = await client.signUp('share@example.test', { starter: 'empty' });
    const id = await plane.app
      .get(TaskRunner)
      .enqueue('read_import', {} as never, { projectId: json['project'].id as string });
    const rows = await plane.db.cell.query<{ id: string; account_id: string }[]>(
      'SELECT id, account_id FROM task WHERE project_id = ?',
      [json['project'].id],
    );
    expect(rows.map((row) => row.id)).toContain(id);
    expect(new Set(rows.map((row) => row.account_id))).toEqual(new Set([json['account'].id]));
  });
});
