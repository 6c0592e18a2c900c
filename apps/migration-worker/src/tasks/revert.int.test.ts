import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness } from '../testing/worker-harness.js';

describe.each(getTestServers().engines)('the revert, on $engine', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
  });
  afterAll(() => harness.close());

  const SQL =
    'CREATE TABLE posts (id int PRIMARY KEY, title varchar(40) NOT NULL, n int); CREATE TRIGGER up BEFORE INSERT ON posts FOR EACH ROW SET NEW.n = 1;';

  it('a revert undoes names, columns and keys, and marks the migration as reverted', async () => {
    const database = await harness.provision();
    await harness.deploy(database, SQL);
    const before = await harness.readSnapshot(database.id);
    const { row } = await harness.deploy(
      database,
      'ALTER TABLE posts RENAME COLUMN title TO headline, ADD COLUMN extra int, ADD UNIQUE KEY by_n (n); CREATE TABLE tags (id int PRIMARY KEY);',
    );
    expect(row.state).toBe('published');
    const back = await harness.revert(database, row.id);
    expect(back.row).toMatchObject({ state: 'published', error: null });
    expect(back.plan).toMatchObject({
      targetNumber: before.number,
      hints: [{ kind: 'column', table: 'posts', from: 'headline', to: 'title' }],
      loss: [],
    });
    expect(harness.fingerprint((await harness.readSnapshot(database.id)).snapshot)).toBe(
      harness.fingerprint(before.snapshot),
    );
    expect((await harness.readMigration(row.id)).state).toBe('reverted');
  });

  it('the plan of a revert lists the API keys that used what it removes', async () => {
    const [database, other] = [await harness.provision(), await harness.provision()];
    await harness.deploy(database, SQL);
    const use = async (databaseId: string, name: string, route: string, daysAgo: number): Promise<void> => {
      await harness.platform.run(
        `INSERT INTO api_key (id, cell_id, database_id, lineage_id, name, key_hash, last4, scopes, created_by, created_at) VALUES (?, ?, ?, ?, ?, UNHEX(SHA2(?, 256)), 'abcd', '[]', 'acc', UTC_TIMESTAMP(3))`,
        [`key_${name}`, harness.cellId, databaseId, `lin_${name}`, name, name],
      );
      await harness.platform.run(
        'INSERT INTO key_use_day (cell_id, database_id, key_id, day, route, requests, last_at) VALUES (?, ?, ?, UTC_DATE() - INTERVAL ? DAY, ?, 7, UTC_TIMESTAMP() - INTERVAL ? DAY)',
        [harness.cellId, databaseId, `key_${name}`, daysAgo, route, daysAgo],
      );
    };
    await use(database.id, `app_${mysql.engine}`, 'GET /posts/{id}', 2);
    await use(database.id, `old_${mysql.engine}`, 'GET /posts', 31);
    for (const name of ['first', 'second'])
      await use(database.id, `${name}_${mysql.engine}`, 'GET /posts', 2);
    await harness.platform.run("UPDATE api_key SET kind = 'session', name = 'Console' WHERE id IN (?, ?)", [
      `key_first_${mysql.engine}`,
      `key_second_${mysql.engine}`,
    ]);
    await use(other.id, `else_${mysql.engine}`, 'GET /posts', 2);
    const { plans } = await harness.holdDeploy(
      database.projectId,
      [database.id],
      'DROP TRIGGER up; ALTER TABLE posts DROP COLUMN n;',
    );
    expect(plans[0]?.impact.usedBy).toMatchObject([
      {
        what: 'posts.n',
        keys: [
          { name: 'Console', requests: 14 },
          { name: `app_${mysql.engine}`, requests: 7 },
        ],
      },
    ]);
  });

  it('a plan lists tables that direct connections have changed since the last deploy', async () => {
    const database = await harness.provision();
    await harness.deploy(database, SQL);
    const connection = await harness.openAs(database.id, database.schemaName, 'migrator');
    await connection.run('ALTER TABLE posts ADD COLUMN by_hand int');
    await connection.run('CREATE TABLE by_hand (id int PRIMARY KEY)');
    await connection.close();
    await harness.platform.run(
      'INSERT INTO detect_request (cell_id, database_id, requested_at) VALUES (?, ?, UTC_TIMESTAMP(3))',
      [harness.cellId, database.id],
    );
    await harness.poll(async () =>
      (await harness.readSnapshot(database.id)).origin === 'direct' ? true : null,
    );
    const { plans } = await harness.holdDeploy(
      database.projectId,
      [database.id],
      'CREATE TABLE tags (id int PRIMARY KEY)',
    );
    expect(plans[0]?.drift).toEqual(['by_hand', 'posts']);
    // The table `posts` alone was adopted into the draft and changed there.
    await harness.holdDeploy(database.projectId, [database.id], 'ALTER TABLE posts ADD COLUMN by_hand int');
    const later = await harness.holdDeploy(
      database.projectId,
      [database.id],
      'ALTER TABLE posts ADD COLUMN more int',
    );
    expect(later.plans[0]?.steps.map((step) => step.table)).toContain('posts');
    expect(later.plans[0]?.drift).toEqual(['by_hand']);
  });
});
