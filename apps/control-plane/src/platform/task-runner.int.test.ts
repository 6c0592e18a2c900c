import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';
import { TaskRunner } from './task-runner.js';

describe('TaskRunner', () => {
  let plane: TestControlPlane;
  beforeAll(async () => {
    plane = await startTestControlPlane();
  }, 60_000);
  afterAll(() => plane?.stop());

  it('queues a hundred pieces of work of a project, and takes accounts away all the same', async () => {
    const tasks = plane.app.get(TaskRunner);
    plane.worker.ignored.add('seed_rows');
    const seed = (projectId: string): Promise<string> => tasks.enqueue('seed_rows', { database_id: 'db_x', tables: {} } as never, { projectId });
    for (let queued = 0; queued < 100; queued += 1) await seed('prj_busy');
    await expect(seed('prj_busy')).rejects.toMatchObject({ code: 'limit.concurrency', retryAfterSeconds: 5 });
    expect(await seed('prj_other')).toMatch(/^tsk_/);
    plane.worker.ignored.add('revoke_connection');
    expect(await tasks.enqueue('revoke_connection', { connection_id: 'con_x', database_id: 'db_x', user_name: 'ux' }, { projectId: 'prj_busy' })).toMatch(/^tsk_/);
  });
});
