import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../testing/test-client.js';

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startTestControlPlane();
}, 60_000);
afterAll(() => plane?.stop());

it('concurrent plans are limited per account over all its sessions and tokens', async () => {
  const [owner, other, byToken] = [
    new TestClient(plane.app),
    new TestClient(plane.app),
    new TestClient(plane.app),
  ];
  const path = `/api/projects/${(await owner.signUp('concurrent@example.test', { starter: 'empty' })).json['project'].id}/schema`;
  const otherPath = `/api/projects/${(await other.signUp('light@example.test', { starter: 'empty' })).json['project'].id}/schema`;
  const token = (await owner.post('/api/tokens', { name: 'script' })).json['token'] as string;
  const plan = (client: TestClient, of: string, name: string): Promise<TestResponse> =>
    client.post(
      `${of}/preview`,
      { sql: `CREATE TABLE ${name} (id int PRIMARY KEY);` },
      client === byToken ? { authorization: `Bearer ${token}` } : {},
    );
  plane.worker.ignored.add('plan_schema');
  const pendingResponse = Array.from({ length: 40 }, (_, index) =>
    plan(index % 2 === 0 ? owner : byToken, path, `t${index}`),
  );
  const ended: TestResponse[] = [];
  for (const response of pendingResponse) void response.then((answer) => ended.push(answer));
  // At this point, eight requests are running and 24 are waiting.
  await expect.poll(() => ended.length, { timeout: 10_000 }).toBe(8);
  for (const rejected of ended)
    expect(rejected).toMatchObject({
      status: 429,
      json: { code: 'limit.concurrency' },
      headers: { 'retry-after': '2' },
    });
  const countQueued = async (): Promise<number> =>
    (
      await plane.db.cell.query<unknown[]>(
        "SELECT id FROM task WHERE kind = 'plan_schema' AND state = 'queued'",
      )
    ).length;
  await expect.poll(countQueued).toBe(8);
  expect((await owner.get('/api/projects')).status).toBe(200);
  expect((await owner.get(path)).status).toBe(200);
  const others = plan(other, otherPath, 'own');
  plane.worker.ignored.delete('plan_schema');
  expect((await others).status).toBe(200);
  expect((await Promise.all(pendingResponse)).filter((answer) => answer.status === 200)).toHaveLength(32);
}, 60_000);
