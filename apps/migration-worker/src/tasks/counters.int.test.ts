import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

describe.each(getTestServers().engines)('AUTO_INCREMENT on $engine', (mysql) => {
  let harness: WorkerHarness;

  beforeAll(async () => {
    harness = await WorkerHarness.start(mysql);
  }, 120_000);
  afterAll(() => harness.close());

  async function insertOne(database: TestDb, table: string): Promise<number> {
    return harness.withRoot(database, async (root) => {
      await root.run(`INSERT INTO ${table} (n) VALUES (1)`);
      const [row] = await root.rows<{ id: number }>(`SELECT MAX(id) AS id FROM ${table}`);
      return Number(row?.id);
    });
  }

  it(
    'a deployed AUTO_INCREMENT value never decreases and reaches later databases',
    { timeout: 60_000 },
    async () => {
      const first = await harness.make(
        'CREATE TABLE t (id int AUTO_INCREMENT PRIMARY KEY, n int) AUTO_INCREMENT=40; CREATE TABLE other (id int AUTO_INCREMENT PRIMARY KEY, n int)',
      );
      expect(await insertOne(first, 't')).toBe(40);
      const { row, plan } = await harness.deploy(first, 'ALTER TABLE t AUTO_INCREMENT=500');
      expect([row.state, plan.steps.map((step) => step.sql)]).toEqual([
        'published',
        ['ALTER TABLE `t` AUTO_INCREMENT = 500'],
      ]);
      expect([await insertOne(first, 't'), await insertOne(first, 'other')]).toEqual([500, 1]);
      expect((await harness.deploy(first, 'ALTER TABLE t AUTO_INCREMENT=77')).plan.steps).toEqual([]);

      const second = await harness.provision('production', first.projectId);
      expect((await harness.deploy(second, '')).row.state).toBe('published');
      expect([await insertOne(second, 't'), await insertOne(second, 'other')]).toEqual([77, 1]);
    },
  );

  it(
    'a deploy keeps AUTO_INCREMENT when rows have passed the planned value',
    { timeout: 60_000 },
    async () => {
      const database = await harness.make('CREATE TABLE t (id int AUTO_INCREMENT PRIMARY KEY, n int)');
      const { ids } = await harness.holdDeploy(
        database.projectId,
        [database.id],
        'ALTER TABLE t AUTO_INCREMENT=500',
      );
      await harness.withRoot(database, async (root) => {
        await root.run('INSERT INTO t (id, n) VALUES (900, 1)');
        await root.run('DELETE FROM t');
      });
      await harness.withoutWorker(() => harness.queueHeld(ids[0] ?? ''));
      expect(await harness.waitMigration(ids[0] ?? '')).toMatchObject({ state: 'published' });
      expect(await insertOne(database, 't')).toBe(901);
    },
  );

  it(
    'the notes of a plan list the counter of a table that is not in the schema',
    { timeout: 60_000 },
    async () => {
      const database = await harness.make('CREATE TABLE t (id int AUTO_INCREMENT PRIMARY KEY, n int)');
      const { plans } = await harness.holdDeploy(
        database.projectId,
        [database.id],
        'ALTER TABLE t AUTO_INCREMENT=500; ALTER TABLE t RENAME TO u',
      );
      expect(plans[0]?.notes).toEqual([
        'AUTO_INCREMENT of t was not set to 500, because the schema has no table t with such a column.',
      ]);
    },
  );
});
