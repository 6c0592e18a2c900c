import type { AdminConnection } from '@rowhouse/mysql';
import { listEnginesOnce } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';
import { SESSIONS } from '@rowhouse/mysql';

describe.each(listEnginesOnce())('a worker that lost the lease of a task, on $engine', (mysql) => {
  let harness: WorkerHarness;
  let root: AdminConnection;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    root = await harness.openRoot();
  });
  afterAll(async () => {
    await root.close();
    await harness.close();
  });

  /** Lists the database's sessions that are sleeping inside a statement. */
  const listSleeping = (database: TestDb): Promise<{ id: number }[]> =>
    root.rows<{ id: number }>(`SELECT ID AS id FROM ${SESSIONS} WHERE DB = ? AND STATE = 'User sleep'`, [
      database.schemaName,
    ]);

  it('the work of a worker that lost its lease is rolled back', { timeout: 90_000 }, async () => {
    const worker = await harness.startWorker();
    const database = await harness.make(
      'CREATE TABLE notes (id int AUTO_INCREMENT PRIMARY KEY, body varchar(40));',
    );
    // Writing the rows takes eight seconds, during which the lease is renewed several times.
    await harness.withRoot(database, (own) =>
      own.run('CREATE TRIGGER slow BEFORE INSERT ON notes FOR EACH ROW SET NEW.body = SLEEP(0.4)'),
    );
    const id = await harness.insertTask('seed_rows', {
      database_id: database.id,
      rows: 20,
      tables: null,
      into_full: false,
      seed: 'one',
    });
    await harness.poll(async () => ((await listSleeping(database)).length > 0 ? true : null));
    // Simulates another worker that takes the row.
    await harness.platform.run(
      `UPDATE task SET lease_owner = 'another', fencing_token = fencing_token + 1, lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR WHERE id = ?`,
      [id],
    );
    await harness.poll(async () => (worker.output.includes('another worker took this over') ? true : null));
    // The server continues the statement although its client has disconnected. No client will commit the
    // transaction.
    for (const { id: thread } of await listSleeping(database))
      await root.run(`KILL ${thread}`).catch(() => undefined);
    await harness.poll(async () => ((await listSleeping(database)).length === 0 ? true : null));
    expect(await harness.check(database, 'SELECT COUNT(*) AS n FROM notes')).toEqual([{ n: 0 }]);
    expect(
      await harness.platform.rows('SELECT state, lease_owner, error FROM task WHERE id = ?', [id]),
    ).toEqual([{ state: 'running', lease_owner: 'another', error: null }]);

    await harness.withRoot(database, (own) => own.run('DROP TRIGGER slow'));
    await harness.expireLeases();
    expect(await harness.waitTask<'seed_rows'>(id)).toMatchObject({ rows: 20 });
    expect(await harness.check(database, 'SELECT COUNT(*) AS n FROM notes')).toEqual([{ n: 20 }]);
    await worker.stop();
  });
});
