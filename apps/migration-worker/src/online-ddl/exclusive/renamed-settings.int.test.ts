import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdChange } from '../../testing/waiting-change.js';
import { WorkerHarness, type TestDb } from '../../testing/worker-harness.js';

const TABLES =
  'CREATE TABLE users (id int PRIMARY KEY, name varchar(40), ssn varchar(20)); CREATE TABLE notes (id int PRIMARY KEY, text varchar(40));';
const SETTINGS = {
  number_columns: {},
  hidden_columns: { users: ['ssn'], notes: ['text'] },
  unindexed_columns: { users: ['name'] },
  require_if_match: ['users'],
};

describe.each(getTestServers().engines)('settings that name what a deploy renames, on $engine', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
  });
  afterAll(() => harness.close());

  async function make(): Promise<TestDb> {
    const database = await harness.make(TABLES);
    await hide(database, SETTINGS);
    return database;
  }

  async function hide(database: TestDb, settings: object): Promise<void> {
    await harness.platform.run('UPDATE tenant_database SET settings = ? WHERE id = ?', [
      JSON.stringify(settings),
      database.id,
    ]);
    await harness.runTask('grant_rights', { database_id: database.id, rights_hash: '', tables: null });
  }

  async function read(database: TestDb): Promise<unknown> {
    const [row] = await harness.platform.rows<{ settings: unknown }>(
      'SELECT settings FROM tenant_database WHERE id = ?',
      [database.id],
    );
    return typeof row?.settings === 'string' ? JSON.parse(row.settings) : row?.settings;
  }

  async function mayQuery(database: TestDb, sql: string): Promise<boolean> {
    const connection = await harness.openAs(database.id, database.schemaName, 'query');
    try {
      return await connection.rows(sql).then(
        () => true,
        () => false,
      );
    } finally {
      await connection.close();
    }
  }

  it('settings are updated when a deploy renames tables and columns, and restored by a revert', async () => {
    const worker = await harness.startWorker();
    const database = await make();
    const { row } = await harness.deploy(
      database,
      'ALTER TABLE users RENAME TO people; ALTER TABLE people RENAME COLUMN ssn TO code;',
    );
    expect(row).toMatchObject({ state: 'published', error: null });
    expect(await read(database)).toEqual({
      number_columns: {},
      hidden_columns: { notes: ['text'], people: ['code'] },
      unindexed_columns: { people: ['name'] },
      require_if_match: ['people'],
    });
    expect([
      await mayQuery(database, 'SELECT id, name FROM people'),
      await mayQuery(database, 'SELECT code FROM people'),
    ]).toEqual([true, false]);
    const kinds = await harness.platform.rows<{ kind: string }>(
      'SELECT kind FROM change_log WHERE database_id = ? ORDER BY seq',
      [database.id],
    );
    // Gateways must know that the new name is hidden before the column gets this name.
    expect(
      kinds
        .map(({ kind }) => kind)
        .filter((kind) => kind === 'settings' || kind === 'prepared')
        .slice(0, 2),
    ).toEqual(['settings', 'prepared']);
    expect((await harness.revert(database, row.id)).row).toMatchObject({ state: 'published', error: null });
    expect(await read(database)).toEqual(SETTINGS);
    expect(await mayQuery(database, 'SELECT ssn FROM users')).toBe(false);
    await worker.stop();
  });

  it(
    'a hidden column stays hidden while it is renamed, wherever a worker dies',
    { timeout: 120_000 },
    async () => {
      let worker = await harness.startWorker();
      const database = await make();
      const { migrationId } = await holdChange(
        harness,
        database,
        '',
        'ALTER TABLE users RENAME COLUMN ssn TO code;',
      );
      await worker.stop();
      await harness.queueHeld(migrationId);
      for (const point of ['after-prepare', 'before-publish_pair', 'before-publish']) {
        worker = await harness.startWorker({ FAIL_POINTS: point });
        expect([point, await worker.exited, await read(database)]).toMatchObject([
          point,
          'SIGKILL',
          { hidden_columns: { users: ['ssn', 'code'] } },
        ]);
        await harness.expireLeases();
      }
      worker = await harness.startWorker();
      expect(await harness.waitMigration(migrationId)).toMatchObject({ state: 'published', error: null });
      expect(await read(database)).toMatchObject({ hidden_columns: { users: ['code'], notes: ['text'] } });
      expect(await mayQuery(database, 'SELECT code FROM users')).toBe(false);
      await worker.stop();
    },
  );

  it('settings that were added during a change stay in force after it', async () => {
    const worker = await harness.startWorker();
    const database = await harness.make(TABLES);
    const holder = await harness.openAs(database.id, database.schemaName, 'rows');
    await holder.run('START TRANSACTION');
    await holder.rows('SELECT * FROM notes');
    const { ids } = await harness.queueDeploy(
      database.projectId,
      [database.id],
      'ALTER TABLE notes ADD COLUMN more int;',
    );
    const id = ids[0] as string;
    await harness.poll(async () =>
      (await harness.readMigration(id)).state === 'waiting_for_lock' ? true : null,
    );
    await hide(database, { hidden_columns: { notes: ['text'] } });
    expect([
      await mayQuery(database, 'SELECT id FROM notes'),
      await mayQuery(database, 'SELECT text FROM notes'),
    ]).toEqual([true, false]);
    await holder.run('COMMIT');
    await holder.close();
    expect(await harness.waitMigration(id)).toMatchObject({ state: 'published', error: null });
    expect([
      await mayQuery(database, 'SELECT id, more FROM notes'),
      await mayQuery(database, 'SELECT text FROM notes'),
    ]).toEqual([true, false]);
    await worker.stop();
  });
});
