import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient } from '../../testing/test-client.js';

describe('sample rows', () => {
  let plane: TestControlPlane;
  let owner: TestClient;
  let outsider: TestClient;
  let projectId: string;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    plane = await startTestControlPlane();
    [owner, outsider] = [new TestClient(plane.app), new TestClient(plane.app)];
    const signup = await owner.signUp('seeds@example.test', { starter: 'empty' });
    projectId = signup.json['project'].id as string;
    for (const { id, environment } of signup.json['databases'] as { id: string; environment: string }[])
      ids.set(environment, id);
    await outsider.signUp('nosy-seeds@example.test', { starter: 'empty' });
  }, 60_000);
  afterAll(() => plane?.stop());

  const path = (environment: string): string => `/api/databases/${ids.get(environment)}/seed`;
  const requests = (): unknown[] =>
    plane.worker.seen.flatMap((task) => (task.kind === 'seed_rows' ? [task.payload] : []));

  it('creating sample rows lists results by table and writes an audit event', async () => {
    expect(await owner.post(path('development'))).toMatchObject({
      status: 200,
      json: {
        seed: 'rowhouse',
        rows: 20,
        tables: [
          { name: 'notes', rows: 20, reason: null },
          { name: 'full', rows: 0, reason: 'it already has rows' },
        ],
      },
    });
    expect(requests().at(-1)).toEqual({
      database_id: ids.get('development'),
      tables: null,
      rows: 20,
      seed: 'rowhouse',
      into_full: false,
    });
    expect(
      (await owner.post(path('development'), { rows: 7, seed: 'x', tables: ['notes'], append: true })).status,
    ).toBe(200);
    expect(requests().at(-1)).toMatchObject({ tables: ['notes'], rows: 7, seed: 'x', into_full: true });
    const audit = await owner.get(`/api/projects/${projectId}/audit`);
    expect(audit.json['items']).toContainEqual(
      expect.objectContaining({
        action: 'database.seed',
        detail: expect.objectContaining({ seed: 'x', rows: 7, tables: ['notes'] }),
      }),
    );
  });

  it('sample rows of a starter schema are inserted by the statements of the starter', async () => {
    expect((await owner.post(path('development'), { starter: 'shop' })).status).toBe(200);
    const { statements } = requests().at(-1) as { statements: string[] };
    expect(statements.map((sql) => /INSERT INTO (\w+)/.exec(sql)?.[1])).toEqual([
      'categories',
      'products',
      'customers',
      'orders',
      'order_items',
    ]);
  });

  it('creating sample rows is limited, and needs confirmation in production', async () => {
    const before = requests().length;
    for (const body of [
      { rows: 1_001 },
      { rows: 0 },
      { rows: 1.5 },
      { seed: '' },
      { tables: [] },
      { table: 'notes' },
      { starter: 'empty' },
      { starter: 'blog', rows: 5 },
    ])
      expect([body, (await owner.post(path('development'), body)).status]).toEqual([body, 422]);
    expect(await owner.post(path('production'))).toMatchObject({
      status: 409,
      json: { code: 'transfer.not_possible', hint: expect.stringContaining('"production": true') },
    });
    expect((await outsider.post(path('development'))).status).toBe(404);
    expect(requests()).toHaveLength(before);
    expect((await owner.post(path('production'), { production: true })).status).toBe(200);
  });
});
