import { isApiKeyForm } from '@rowhouse/credentials';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TASK_DEADLINE_MS } from '../../platform/task-runner.js';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient } from '../../testing/test-client.js';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane();
}, 60_000);
afterAll(() => plane?.stop());

/** Returns the age of a project's plan request. */
async function readPlanAgeMs(projectId: string): Promise<number> {
  const [row] = await plane.db.cell.query<{ age: string }[]>(
    "SELECT TIMESTAMPDIFF(MICROSECOND, created_at, UTC_TIMESTAMP(3)) / 1000 AS age FROM task WHERE project_id = ? AND kind = 'plan_schema'",
    [projectId],
  );
  return Number(row?.age);
}

describe('a sign-up that the worker cannot finish in time', () => {
  it('a slow sign-up gets 202 with its migrations and deploys the starter afterwards', async () => {
    plane.worker.holdsMigrations = true;
    try {
      const client = new TestClient(plane.app);
      const slow = await client.signUp('slow@example.test');
      expect(slow.status).toBe(202);
      expect(slow.json['migrations'].map((row: { state: string }) => row.state)).toEqual([
        'queued',
        'queued',
      ]);
      expect(isApiKeyForm(slow.json['api_key'])).toBe(true);
      plane.worker.holdsMigrations = false;
      await expect
        .poll(
          async () => (await client.get(`/api/migrations/${slow.json['migrations'][0].id}`)).json['state'],
        )
        .toBe('published');
    } finally {
      plane.worker.holdsMigrations = false;
    }
  }, 40_000);
  it('a slow sign-up deploys its starter even if planning exceeds the task deadline', async () => {
    const client = new TestClient(plane.app);
    plane.worker.ignored.add('plan_schema');
    try {
      const slow = await client.signUp('patient@example.test');
      expect(slow).toMatchObject({ status: 202, json: { migrations: [] } });
      const projectId = slow.json['project'].id as string;
      await expect
        .poll(() => readPlanAgeMs(projectId), { timeout: 20_000 })
        .toBeGreaterThan(TASK_DEADLINE_MS + 500);
      plane.worker.ignored.delete('plan_schema');
      await expect
        .poll(async () => (await client.get(`/api/projects/${projectId}/schema`)).json['tables'].length)
        .toBe(5);
      expect(
        plane.worker.seen.filter(
          (task) => task.kind === 'plan_schema' && task.payload['project_id'] === projectId,
        ),
      ).toHaveLength(1);
    } finally {
      plane.worker.ignored.delete('plan_schema');
    }
  }, 60_000);
});

describe('a sign-up whose databases cannot be created', () => {
  it('a sign-up whose databases cannot be created is undone and can be repeated', async () => {
    const client = new TestClient(plane.app);
    plane.worker.failures.set('provision_database', {
      code: 'db.unavailable',
      detail: 'The server is away.',
    });
    const rejected = await client.signUp('unlucky@example.test');
    plane.worker.failures.clear();
    expect(rejected).toMatchObject({ status: 503, json: { code: 'db.unavailable' } });
    expect(rejected.setCookie).toBeUndefined();
    await expect
      .poll(() => plane.worker.seen.filter((task) => task.kind === 'drop_database'))
      .toHaveLength(2);
    expect((await client.signUp('unlucky@example.test', { starter: 'empty' })).status).toBe(201);
  });
  it('an account exists after sign-up even if its starter fails', async () => {
    const client = new TestClient(plane.app);
    plane.worker.failures.set('plan_schema', { code: 'db.unavailable', detail: 'The server is away.' });
    const answer = await client.signUp('starterless@example.test');
    plane.worker.failures.clear();
    expect(answer).toMatchObject({ status: 202, json: { migrations: [] } });
    expect(isApiKeyForm(answer.json['api_key'])).toBe(true);
  });
});
