import { openAdminConnection } from '@rowhouse/mysql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLOG_SQL } from '../testing/blog-schema.js';
import { samplePoints } from '../testing/sample-points.js';
import { WorkerHarness } from '../testing/worker-harness.js';

let harness: WorkerHarness;
beforeAll(async () => {
  harness = await WorkerHarness.create();
});
afterAll(() => harness.close());

const POINTS = [
  'task-claimed',
  'provision-schemas-made',
  'account-row-rows',
  'account-made-rows',
  'account-made-query',
  'account-made-migrator',
  'provision-before-publish',
  'published-not-announced',
  'provision-done',
  'task-before-done',
];
/**
 * The points at which a test run kills the worker. Each takes a process, so only points that leave different
 * states are tested. `KILL_POINTS=all` tests all points.
 */
const SAMPLE = [
  'provision-schemas-made',
  'account-row-rows',
  'account-made-query',
  'provision-before-publish',
  'published-not-announced',
];

describe('provisioning', () => {
  it(
    'another worker completes the creation of a database, wherever the first worker is killed',
    { timeout: 120_000 },
    async () => {
      const tasks = new Map<string, string>();
      for (const point of samplePoints(POINTS, SAMPLE, 0, 1)) {
        const database = await harness.insertDatabase();
        const worker = await harness.startWorker({ FAIL_POINTS: point });
        tasks.set(await harness.insertTask('provision_database', { database_id: database.id }), database.id);
        expect(await worker.exited).toBe('SIGKILL');
      }
      await harness.expireLeases();
      const worker = await harness.startWorker();
      for (const [task, databaseId] of tasks) {
        await harness.waitTask(task);
        const { number, snapshot } = await harness.readSnapshot(databaseId);
        expect([number, snapshot.tables, (await harness.readDatabase(databaseId)).provision_state]).toEqual([
          1,
          [],
          'ready',
        ]);
        const { schema_name: schemaName } = await harness.readDatabase(databaseId);
        for (const kind of ['rows', 'query', 'migrator'])
          await (await harness.openAs(databaseId, schemaName, kind)).close();
      }
      await worker.stop();
    },
  );

  it('each provisioned account has exactly the rights it needs', async () => {
    const worker = await harness.startWorker();
    const [own, other] = [await harness.provision(), await harness.provision()];
    expect((await harness.deploy(own, BLOG_SQL)).row).toMatchObject({ state: 'published', error: null });
    const can = async (kind: string, sql: string): Promise<boolean> => {
      const connection = await harness.openAs(own.id, own.schemaName, kind);
      const isDone = await connection.run(sql).then(
        () => true,
        () => false,
      );
      await connection.close();
      return isDone;
    };
    const insert = `INSERT INTO users (username, email) VALUES ('ada', 'ada@example.org')`;
    const keep = `INSERT INTO \`${own.schemaName}s\`.idempotency (lineage_id, idempotency_key, fingerprint, created_at) VALUES ('lin', 'k', REPEAT('a', 32), NOW())`;
    expect([
      await can('rows', insert),
      await can('rows', keep),
      await can('rows', 'DROP TABLE comments'),
      await can('rows', `DROP TABLE \`${own.schemaName}s\`.idempotency`),
    ]).toEqual([true, true, false, false]);
    expect([
      await can('query', 'SELECT * FROM users'),
      await can('query', 'DELETE FROM users'),
      await can('query', `SELECT * FROM \`${own.schemaName}s\`.idempotency`),
    ]).toEqual([true, false, false]);
    expect([
      await can('migrator', 'CREATE TABLE extra (id int)'),
      await can('migrator', 'DROP TABLE extra'),
      await can('migrator', `CREATE TABLE \`${own.schemaName}s\`.kept (id int)`),
    ]).toEqual([true, true, true]);
    for (const kind of ['rows', 'query', 'migrator']) {
      expect(await can(kind, `SELECT * FROM \`${other.schemaName}\`.users`)).toBe(false);
      expect(await can(kind, `CREATE TABLE \`${other.schemaName}\`.users (id int)`)).toBe(false);
    }
    await worker.stop();
  });

  it(
    'the scratch database of a killed worker is dropped, and no other database',
    { timeout: 90_000 },
    async () => {
      const count = async (): Promise<number> => {
        const root = await harness.openRoot();
        const rows = await root.rows<{ name: string }>(
          `SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?`,
          [scratchName],
        );
        await root.close();
        return rows.length;
      };
      const dying = await harness.startWorker({ FAIL_POINTS: 'scratch-made' });
      const before = await harness.listScratch();
      const task = await harness.insertTask('plan_schema', {
        project_id: 'prj_none',
        base: null,
        mode: 'replace',
        sql: 'CREATE TABLE a (id int)',
        target_database_ids: [],
      });
      expect(await dying.exited).toBe('SIGKILL');
      const [scratchName = ''] = (await harness.listScratch()).filter((name) => !before.includes(name));
      expect(await count()).toBe(1);
      await harness.expireLeases();
      const worker = await harness.startWorker();
      await harness.waitTask(task);
      await harness.poll(async () => ((await count()) === 0 ? true : null), 60_000);
      await worker.stop();
    },
  );

  it('no migration starts while the operator has turned schema changes off', async () => {
    const locked = await harness.startWorker({ DDL_LOCKED: 'true' });
    const database = await harness.provision();
    const { ids } = await harness.queueDeploy(
      database.projectId,
      [database.id],
      'CREATE TABLE a (id int PRIMARY KEY)',
    );
    await harness.runTask('plan_schema', {
      project_id: 'prj_none',
      base: null,
      mode: 'replace',
      sql: '',
      target_database_ids: [],
    });
    expect(await harness.readMigration(ids[0] as string)).toMatchObject({ state: 'queued', attempt: 0 });
    await locked.stop();
    const worker = await harness.startWorker();
    expect(await harness.waitMigration(ids[0] as string)).toMatchObject({ state: 'published' });
    await worker.stop();
  });

  it('a task waits for a move of its database without using up an attempt', async () => {
    const worker = await harness.startWorker();
    const database = await harness.provision();
    const setLocation = (state: string): Promise<unknown> =>
      harness.platform.run('UPDATE tenant_database SET location_state = ? WHERE id = ?', [
        state,
        database.id,
      ]);
    await setLocation('moving');
    const task = await harness.insertTask('drop_database', { database_id: database.id });
    const waiting = await harness.poll(async () => {
      const [row] = await harness.platform.rows<{ attempt: number; claims: number }>(
        'SELECT attempt, fencing_token AS claims FROM task WHERE id = ?',
        [task],
      );
      return row !== undefined && Number(row.claims) >= 3 ? row : null;
    });
    // A claim counts as one attempt. Waiting between two claims does not count.
    expect(waiting.attempt).toBeLessThanOrEqual(1);
    await setLocation('live');
    await harness.waitTask(task);
    await worker.stop();
  });

  it('a database is dropped with its accounts and side schema', async () => {
    const worker = await harness.startWorker();
    const database = await harness.provision();
    const account = await harness.readAccount(database.id, 'rows');
    const session = await harness.openAs(database.id, database.schemaName, 'rows');
    await harness.runTask('drop_database', { database_id: database.id });
    await expect(session.rows('SELECT 1')).rejects.toThrow();
    const root = await harness.openRoot();
    expect(await root.rows(`SHOW DATABASES LIKE '${database.schemaName}%'`)).toEqual([]);
    await root.close();
    await expect(
      openAdminConnection({ host: harness.mysql.host, port: harness.mysql.port, ...account }),
    ).rejects.toThrow(/Access denied/);
    await worker.stop();
  });
});
