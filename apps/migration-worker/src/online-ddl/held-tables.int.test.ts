import type { AdminConnection } from '@rowhouse/mysql';
import { createId } from '@rowhouse/runtime';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

/**
 * The number of tasks is higher than the number of tasks and examinations that a worker runs at the same
 * time.
 */
const TASKS = 26;
const HELD_DATABASES = 5;
const TABLE = 'CREATE TABLE notes (id int PRIMARY KEY, body longtext);';

describe.each(getTestServers().engines)('an owner who keeps tables locked on $engine', (mysql) => {
  let harness: WorkerHarness;
  const holders: AdminConnection[] = [];
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
  });
  afterAll(async () => {
    for (const holder of holders) await holder.close();
    await harness.close();
  });

  /** Locks the tables and stays idle, as a client with a direct connection may do. */
  async function hold(database: TestDb): Promise<void> {
    const holder = await harness.openRoot(database.schemaName);
    holders.push(holder);
    await holder.run('LOCK TABLES notes WRITE');
  }

  const sendRequest = (database: TestDb): Promise<unknown> =>
    harness.platform.run(
      'INSERT INTO detect_request (cell_id, database_id, requested_at) VALUES (?, ?, UTC_TIMESTAMP(3))',
      [harness.cellId, database.id],
    );

  it('tasks of other tenants run while an owner keeps tables locked', { timeout: 120_000 }, async () => {
    const held = await harness.make(TABLE);
    await hold(held);
    const payload = JSON.stringify({
      project_id: held.projectId,
      base: null,
      mode: 'replace',
      sql: 'CREATE TABLE notes (id int PRIMARY KEY, body longtext, more int);',
      target_database_ids: [held.id],
    });
    for (let requestCount = 0; requestCount < TASKS; requestCount += 1) {
      await harness.platform.run(
        `INSERT INTO task (id, cell_id, kind, project_id, state, payload, created_at, run_after) VALUES (?, ?, 'plan_schema', ?, 'queued', ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`,
        [createId('tsk'), harness.cellId, held.projectId, payload],
      );
    }
    await harness.poll(async () => {
      const [found] = await harness.platform.rows<{ n: number }>(
        `SELECT COUNT(*) AS n FROM task WHERE project_id = ? AND state = 'running'`,
        [held.projectId],
      );
      // Two plans run at the same time, which is the maximum for an account.
      return Number(found?.n) >= 2 ? true : null;
    });
    expect((await harness.provision()).id).toMatch(/^db_/);
    await harness.platform.run(`DELETE FROM task WHERE project_id = ? AND state = 'queued'`, [
      held.projectId,
    ]);
  });

  it(
    'schema changes of other tenants are detected while an owner keeps tables locked',
    { timeout: 120_000 },
    async () => {
      const held: TestDb[] = [];
      for (let createdCount = 0; createdCount < HELD_DATABASES; createdCount += 1)
        held.push(await harness.make(`${TABLE}\nCREATE VIEW bodies AS SELECT body FROM notes;`));
      const other = await harness.make(TABLE);
      for (const database of held) {
        await hold(database);
        await sendRequest(database);
      }
      await harness.withRoot(other, (root) => root.run('CREATE TABLE more (id int PRIMARY KEY)'));
      await sendRequest(other);
      const tables = await harness.poll(async () => {
        const { snapshot } = await harness.readSnapshot(other.id);
        return snapshot.tables.length > 1 ? snapshot.tables.map((table) => table.name) : null;
      });
      expect(tables).toEqual(['more', 'notes']);
    },
  );
});
