import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness } from '../testing/worker-harness.js';

describe('a worker whose Redis is down', () => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create();
    await harness.startWorker({ REDIS_URL: 'redis://127.0.0.1:1' });
  }, 60_000);
  afterAll(() => harness.close());

  it('a worker without Redis finds tasks and migrations in the journals', { timeout: 60_000 }, async () => {
    const database = await harness.provision();
    expect((await harness.deploy(database, 'CREATE TABLE notes (id int PRIMARY KEY);')).row.state).toBe(
      'published',
    );
  });
});
