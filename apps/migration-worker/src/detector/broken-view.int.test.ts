import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness } from '../testing/worker-harness.js';

const BASE_SQL = 'CREATE TABLE base (id int PRIMARY KEY, x int);';
const VIEW_SQL = 'CREATE VIEW seen AS SELECT id, x FROM base;';

describe.each(getTestServers().engines)('a view whose table its owner has dropped, on $engine', (mysql) => {
  let harness: WorkerHarness;
  let database: { id: string; schemaName: string; projectId: string };
  beforeAll(async () => {
    harness = await WorkerHarness.start(mysql);
    database = await harness.provision();
    expect(
      (await harness.deploy(database, `CREATE TABLE other (id int PRIMARY KEY); ${BASE_SQL} ${VIEW_SQL}`)).row
        .state,
    ).toBe('published');
    const connection = await harness.openAs(database.id, database.schemaName, 'migrator');
    await connection.run('DROP TABLE base');
    await connection.close();
    await harness.platform.run(
      'INSERT INTO detect_request (cell_id, database_id, requested_at) VALUES (?, ?, UTC_TIMESTAMP(3))',
      [harness.cellId, database.id],
    );
    await harness.poll(async () =>
      (await harness.readSnapshot(database.id)).snapshot.tables.some((table) => table.name === 'base')
        ? null
        : true,
    );
  });
  afterAll(() => harness.close());

  it('a broken view does not block a deploy that removes it', async () => {
    const { row } = await harness.deploy(
      database,
      'CREATE TABLE other (id int PRIMARY KEY, n int);',
      'replace',
    );
    expect(row).toMatchObject({ state: 'published', error: null });
    expect((await harness.readSnapshot(database.id)).snapshot.tables.map((table) => table.name)).toEqual([
      'other',
    ]);
  });

  it('the error for a table with a discarded tablespace differs from that for a broken view', async () => {
    const connection = await harness.openAs(database.id, database.schemaName, 'migrator');
    await connection.run('ALTER TABLE other DISCARD TABLESPACE');
    await connection.close();
    const deployed = await harness
      .deploy(database, 'CREATE TABLE other (id int PRIMARY KEY, n int, m int NOT NULL);', 'replace')
      .then(
        ({ row }) => row.error,
        (error: unknown) => error,
      );
    expect(deployed).toMatchObject({
      code: 'schema.broken_object',
      detail: expect.stringContaining('tablespace of the table other has been discarded') as string,
    });
  });
});
