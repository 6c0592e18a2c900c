import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

describe.each(getTestServers().engines)('partitions on $engine', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
  });
  afterAll(() => harness.close());

  /**
   * Deploys a change and checks that the schema then equals the draft. Returns the plan's strategies and
   * losses.
   */
  async function change(database: TestDb, sql: string): Promise<[string, readonly string[]][]> {
    const { row, plan } = await harness.deploy(database, sql);
    expect(row).toMatchObject({ state: 'published', error: null });
    expect(
      (await harness.deploy(database, 'CREATE OR REPLACE VIEW probe AS SELECT 1 AS one')).plan.steps.filter(
        (step) => step.table !== 'probe',
      ),
    ).toEqual([]);
    return plan.steps.map((step) => [step.strategy, step.loss]);
  }
  const listIds = async (database: TestDb): Promise<number[]> =>
    (await harness.check<{ id: number }>(database, 'SELECT id FROM t ORDER BY id')).map(({ id }) =>
      Number(id),
    );

  it('partitions are added, dropped and reorganized, and the plan lists lost partitions', async () => {
    const database = await harness.make(
      'CREATE TABLE t (id int PRIMARY KEY) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN (20))',
    );
    await harness.withRoot(database, (root) => root.run('INSERT INTO t VALUES (1), (11), (12)'));
    expect(
      await change(
        database,
        'ALTER TABLE t ADD PARTITION (PARTITION p2 VALUES LESS THAN (30), PARTITION `p m` VALUES LESS THAN MAXVALUE)',
      ),
    ).toEqual([['instant', []]]);
    await harness.withRoot(database, (root) => root.run('INSERT INTO t VALUES (25), (99)'));
    expect(
      await change(
        database,
        'ALTER TABLE t REORGANIZE PARTITION `p m` INTO (PARTITION p3 VALUES LESS THAN (40), PARTITION `p m` VALUES LESS THAN MAXVALUE)',
      ),
    ).toEqual([['copy_small', []]]);
    expect(await listIds(database)).toEqual([1, 11, 12, 25, 99]);
    expect(await change(database, 'ALTER TABLE t DROP PARTITION p0')).toEqual([
      ['instant', ['partition p0 of t with all its rows, which are not moved to another partition']],
    ]);
    expect(await listIds(database)).toEqual([11, 12, 25, 99]);
    expect(await change(database, 'ALTER TABLE t REMOVE PARTITIONING')).toEqual([['copy_small', []]]);
    expect(await change(database, "ALTER TABLE t COMMENT = 'PARTITION BY nobody'")).toEqual([
      [expect.any(String), []],
    ]);
    expect(await listIds(database)).toEqual([11, 12, 25, 99]);
  });

  it('a large table is partitioned while it is written, unless a row has no partition', async () => {
    const database = await harness.make('CREATE TABLE t (id int PRIMARY KEY, note varchar(20))');
    await harness.fill(database, 'INSERT INTO t (id, note)', "i, 'row'", 2_000);
    expect(await change(database, 'ALTER TABLE t PARTITION BY HASH (id) PARTITIONS 3')).toEqual([
      ['rebuild', []],
    ]);
    expect(await listIds(database)).toHaveLength(2_000);
    await harness.withRoot(database, (root) => root.run('DELETE FROM t WHERE id > 100'));
    const { row } = await harness.deploy(
      database,
      'ALTER TABLE t PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (50))',
    );
    expect(row).toMatchObject({ state: 'failed', error: { code: 'schema.rows_in_the_way' } });
    expect(await listIds(database)).toHaveLength(100);
  });
});
