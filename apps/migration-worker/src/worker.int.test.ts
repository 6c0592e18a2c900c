import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLOG_SQL } from './testing/blog-schema.js';
import { WorkerHarness } from './testing/worker-harness.js';

let harness: WorkerHarness;
beforeAll(async () => {
  harness = await WorkerHarness.create();
  await harness.startWorker();
});
afterAll(() => harness.close());

describe('the worker', () => {
  it('provisions a database and deploys the example schema', async () => {
    const database = await harness.provision();
    expect((await harness.readSnapshot(database.id)).snapshot.tables).toEqual([]);
    const { row, plan } = await harness.deploy(database, BLOG_SQL);
    expect(row).toMatchObject({ state: 'published', error: null });
    expect(plan.steps.map((step) => [step.table, step.strategy])).toEqual([
      ['tags', 'create'], ['users', 'create'], ['posts', 'create'], ['comments', 'create'], ['post_tags', 'create'],
    ]);
    const { number, snapshot } = await harness.readSnapshot(database.id);
    expect(number).toBe(2);
    expect(snapshot.tables.map((table) => table.path)).toEqual(['comments', 'post-tags', 'posts', 'tags', 'users']);
    expect(snapshot.tables.find((table) => table.name === 'posts')?.relationships.map((road) => road.name).sort()).toEqual(['comments', 'tags', 'user']);
    const rows = await harness.openAs(database.id, database.schemaName, 'rows');
    await rows.run(`INSERT INTO users (username, email) VALUES ('ada', 'ada@example.org')`);
    expect(await rows.rows('SELECT username FROM users')).toEqual([{ username: 'ada' }]);
    await rows.close();
  });
});
