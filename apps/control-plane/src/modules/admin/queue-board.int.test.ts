import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient } from '../../testing/test-client.js';

let plane: TestControlPlane;
let operator: TestClient;
let owner: TestClient;

beforeAll(async () => {
  plane = await startTestControlPlane();
  [operator, owner] = [new TestClient(plane.app), new TestClient(plane.app)];
  await operator.signUp('operator@example.test', { starter: 'empty' });
  await plane.db.global.query("UPDATE account SET is_operator = 1 WHERE email = 'operator@example.test'");
  await owner.signUp('owner@example.test', { starter: 'empty' });
}, 60_000);
afterAll(() => plane?.stop());

interface Seen {
  readonly status: number;
  readonly type: string;
  readonly policy: string;
  readonly body: string;
}

async function look(
  path: string,
  client: TestClient | null = operator,
  method: 'GET' | 'PUT' | 'POST' = 'GET',
): Promise<Seen> {
  const headers = client === null ? {} : { cookie: client.cookie ?? '', 'x-csrf-token': client.csrf ?? '' };
  const reply = await plane.app.inject({ method, url: `/api/admin/queues${path}`, headers });
  return {
    status: reply.statusCode,
    type: String(reply.headers['content-type']),
    policy: String(reply.headers['content-security-policy']),
    body: reply.body,
  };
}

describe('the queue board', () => {
  it('only operators can open the queue board', async () => {
    for (const path of [
      '',
      '/',
      '/queue/wake',
      '/api/queues',
      '/static/images/logo.svg',
      '/api/queues/wake/1',
      '/nothing',
    ]) {
      expect([path, (await look(path, null)).status, (await look(path, owner)).status]).toEqual([
        path,
        401,
        403,
      ]);
    }
  });

  it('the page of the queue board only runs its own scripts', async () => {
    for (const path of ['', '/', '/queue/wake', '/queue/wake/7']) {
      const page = await look(path);
      expect([path, page.status, page.type]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(page.policy).toContain("default-src 'self'");
      expect(page.policy).toContain("base-uri 'self'");
      expect(page.policy).not.toContain('script-src');
      expect(
        page.body.replace(/<script id="__UI_CONFIG__" type="application\/json">.*?<\/script>/, ''),
      ).not.toMatch(/<script(?! defer src="static\/)|https?:|\son\w+=/);
      const files = [...page.body.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file]) => file);
      expect(files.length).toBeGreaterThan(3);
      for (const file of files) expect([file, (await look(`/${file}`)).status]).toEqual([file, 200]);
    }
    expect((await look('/static/images/logo.svg')).type).toBe('image/svg+xml');
    expect((await look('/api/queues')).policy).toContain("base-uri 'none'");
  });

  it('the queue board shows the queue of job notifications as read-only', async () => {
    const { queues } = JSON.parse((await look('/api/queues?activeQueue=wake&page=1')).body) as {
      queues: { name: string; readOnlyMode: boolean; allowRetries: boolean; counts: object }[];
    };
    expect(queues).toMatchObject([
      { name: 'wake', readOnlyMode: true, allowRetries: false, counts: { waiting: expect.any(Number) } },
    ]);
    expect((await look('/api/redis/stats')).status).toBe(200);
  });

  it('the queue board rejects changes and paths of other files', async () => {
    for (const [method, path] of [
      ['PUT', '/api/queues/wake/pause'],
      ['PUT', '/api/queues/wake/empty'],
      ['POST', '/api/queues/wake/add'],
      ['PUT', '/api/queues/wake/7/retry'],
    ] as const)
      expect((await look(path, operator, method)).status).toBe(404);
    for (const path of [
      '/static/nothing.js',
      '/static',
      '/static/%2e%2e/index.ejs',
      '/index.ejs',
      '/static/..%2f..%2fpackage.json',
      '/api/nothing',
    ])
      expect([path, (await look(path)).status]).toEqual([path, 404]);
  });
});
