import { sideSchemaName } from '@rowhouse/contracts';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePoints } from '../../testing/sample-points.js';
import { killAtPoints } from '../../testing/waiting-change.js';
import { WorkerHarness } from '../../testing/worker-harness.js';
import { SESSIONS } from '@rowhouse/mysql';

interface TestDb {
  readonly id: string;
  readonly schemaName: string;
  readonly projectId: string;
}

const BASE = `
  CREATE TABLE users (id int AUTO_INCREMENT PRIMARY KEY, name varchar(20) NOT NULL, country char(2) NOT NULL, bio text, KEY by_country (country));
  CREATE TABLE posts (id int AUTO_INCREMENT PRIMARY KEY, user_id int NOT NULL, title varchar(40) NOT NULL, CONSTRAINT written FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE);
  CREATE TABLE likes (id int AUTO_INCREMENT PRIMARY KEY, post_id int, CONSTRAINT liked FOREIGN KEY (post_id) REFERENCES posts (id));
  CREATE TRIGGER shout BEFORE INSERT ON posts FOR EACH ROW SET NEW.title = UPPER(NEW.title);
`;
const DROP =
  'ALTER TABLE likes DROP FOREIGN KEY liked, DROP COLUMN post_id; DROP TABLE posts; ALTER TABLE users DROP COLUMN country, DROP COLUMN bio;';

const KILLED_AT = [
  'before-keep_columns',
  'keep-written',
  'after-keep_columns',
  'before-keep_table',
  'keep-triggers-gone',
  'keep-keys-gone',
  'after-keep_table',
];
/**
 * The points at which a test run kills the worker: before the drop, after it, and in the two halves of moving
 * a table to the side schema.
 */
const SAMPLE = ['keep-written', 'keep-triggers-gone', 'after-keep_columns', 'keep-keys-gone'];
const ENGINES = getTestServers().engines;

describe.each(ENGINES)('what a deploy drops, on $engine', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
  });
  afterAll(() => harness.close());

  async function makeFilled(): Promise<TestDb> {
    const database = await harness.provision();
    expect((await harness.deploy(database, BASE)).row).toMatchObject({ state: 'published', error: null });
    await run(database, `INSERT INTO users (name, country, bio) VALUES ('ada', 'GB', 'x')`);
    await run(database, `INSERT INTO posts (user_id, title) VALUES (1, 'first')`);
    await run(database, 'INSERT INTO likes (post_id) VALUES (1)');
    return database;
  }

  async function run(database: TestDb, sql: string): Promise<void> {
    const connection = await harness.openAs(database.id, database.schemaName, 'rows');
    try {
      await connection.run(sql);
    } finally {
      await connection.close();
    }
  }

  async function look<T>(database: TestDb, sql: string): Promise<T[]> {
    const root = await harness.openRoot(database.schemaName);
    try {
      return await root.rows<T>(sql);
    } finally {
      await root.close();
    }
  }

  const listSide = async (database: TestDb): Promise<string[]> =>
    (
      await look<{ name: string }>(
        database,
        `SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = '${sideSchemaName(database.schemaName)}' AND TABLE_NAME LIKE '\\_rh\\_%'`,
      )
    ).map((row) => row.name);

  it('a dropped object is hidden and can be restored with its rows', { timeout: 90_000 }, async () => {
    const worker = await harness.startWorker();
    const database = await makeFilled();
    const { snapshot: before } = await harness.readSnapshot(database.id);
    const { row, plan } = await harness.deploy(database, DROP);
    expect(row).toMatchObject({ state: 'published', error: null });
    expect(
      plan.steps
        .filter((step) => step.strategy.startsWith('keep_'))
        .map((step) => [step.table, step.strategy, step.reversible]),
    ).toEqual([
      ['likes', 'keep_columns', true],
      ['users', 'keep_columns', true],
      ['posts', 'keep_table', true],
    ]);
    const { snapshot } = await harness.readSnapshot(database.id);
    expect(JSON.stringify(snapshot)).not.toContain('_rh_');
    expect(snapshot.tables.map((table) => table.name)).toEqual(['likes', 'users']);
    expect(await listSide(database)).toHaveLength(1);
    // Neither the foreign keys nor the required columns of the dropped objects block inserts.
    await run(database, `INSERT INTO users (name) VALUES ('bea')`);
    expect(await look(database, 'SELECT * FROM users')).toEqual([
      { id: 1, name: 'ada' },
      { id: 2, name: 'bea' },
    ]);
    await run(database, 'DELETE FROM users WHERE id = 2');

    const back = await harness.revert(database, row.id);
    expect(back.row).toMatchObject({ state: 'published', error: null });
    expect(harness.fingerprint((await harness.readSnapshot(database.id)).snapshot)).toBe(
      harness.fingerprint(before),
    );
    expect(
      await look(
        database,
        'SELECT u.country, u.bio, p.title, l.id FROM users u JOIN posts p ON p.user_id = u.id JOIN likes l ON l.post_id = p.id',
      ),
    ).toEqual([{ country: 'GB', bio: 'x', title: 'FIRST', id: 1 }]);
    await run(database, `INSERT INTO posts (user_id, title) VALUES (1, 'second')`);
    expect(await look(database, 'SELECT title FROM posts WHERE id = 2')).toEqual([{ title: 'SECOND' }]);
    await expect(run(database, 'INSERT INTO likes (post_id) VALUES (99)')).rejects.toThrow(/foreign key/);
    expect(await listSide(database)).toEqual([]);
    await worker.stop();
  });

  it('a dropped object is purged after its retention time', { timeout: 90_000 }, async () => {
    const worker = await harness.startWorker();
    const database = await makeFilled();
    const { row } = await harness.deploy(database, DROP);
    await harness.platform.run(
      'UPDATE kept_object SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE database_id = ?',
      [database.id],
    );
    await harness.poll(async () =>
      (
        await harness.platform.rows('SELECT id FROM kept_object WHERE database_id = ? AND outcome IS NULL', [
          database.id,
        ])
      ).length === 0
        ? true
        : null,
    );
    expect(await listSide(database)).toEqual([]);
    expect(
      await look(
        database,
        `SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '${database.schemaName}' AND COLUMN_NAME LIKE '\\_rh\\_%'`,
      ),
    ).toEqual([]);
    // The revert creates the objects again, but without rows.
    const back = await harness.revert(database, row.id);
    expect(back.row).toMatchObject({ state: 'published', error: null });
    expect(await look(database, 'SELECT COUNT(*) AS n FROM posts')).toEqual([{ n: 0 }]);
    await worker.stop();
  });

  it('a migration that starts during a purge waits for it', { timeout: 120_000 }, async () => {
    const worker = await harness.startWorker();
    const database = await makeFilled();
    await harness.deploy(database, DROP);
    const [retained] = await listSide(database);
    const reader = await harness.openRoot(sideSchemaName(database.schemaName));
    await reader.run('START TRANSACTION');
    await reader.rows(`SELECT * FROM \`${retained}\``);
    const platform = await harness.openRoot(harness.platformDb.name);
    await platform.run('SET SESSION innodb_lock_wait_timeout = 1');
    await harness.platform.run(
      `UPDATE kept_object SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE database_id = ? AND kind = 'table'`,
      [database.id],
    );
    await harness.poll(async () =>
      (
        await reader.rows(
          `SELECT ID FROM ${SESSIONS} WHERE INFO LIKE 'DROP TABLE%${retained}%' AND STATE LIKE '%metadata lock%'`,
        )
      ).length > 0
        ? true
        : null,
    );
    expect(
      await platform.rows('SELECT id FROM tenant_database WHERE id = ? FOR UPDATE', [database.id]),
    ).toHaveLength(1);
    await platform.close();
    const { ids } = await harness.queueDeploy(
      database.projectId,
      [database.id],
      'CREATE TABLE more (id int PRIMARY KEY);',
    );
    await reader.run('COMMIT');
    await reader.close();
    expect(await harness.waitMigration(ids[0] as string)).toMatchObject({
      state: 'published',
      error: null,
    });
    await harness.poll(async () => ((await listSide(database)).length === 0 ? true : null));
    expect(await look(database, 'SELECT COUNT(*) AS n FROM users')).toEqual([{ n: 1 }]);
    await worker.stop();
  });

  it('a drop ends as planned, wherever a worker is killed', { timeout: 240_000 }, async () => {
    const points = samplePoints(KILLED_AT, SAMPLE, ENGINES.indexOf(mysql), ENGINES.length);
    const waiting = await killAtPoints(harness, points, makeFilled, DROP);
    const last = await harness.startWorker();
    for (const { point, database, migrationId } of waiting) {
      expect({ point, row: await harness.waitMigration(migrationId) }).toMatchObject({
        point,
        row: { state: 'published', error: null },
      });
      const back = await harness.revert(database, migrationId);
      expect({ point, row: back.row }).toMatchObject({ point, row: { state: 'published', error: null } });
      expect(
        await look(
          database,
          'SELECT MAX(p.title) AS title, MAX(u.bio) AS bio, COUNT(l.id) AS likes FROM posts p JOIN users u ON u.id = p.user_id JOIN likes l ON l.post_id = p.id',
        ),
      ).toEqual([{ title: 'FIRST', bio: 'x', likes: 1 }]);
      expect(await look(database, 'SHOW TRIGGERS')).toHaveLength(1);
    }
    await last.stop();
  });

  it('a table without a key is copied under a table lock', { timeout: 90_000 }, async () => {
    const worker = await harness.startWorker();
    const database = await harness.provision();
    await harness.deploy(database, 'CREATE TABLE log (at datetime, what varchar(50));');
    await run(
      database,
      `INSERT INTO log (what) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT 7 FROM n a JOIN n b ON b.i <= 20`,
    );
    const { row, plan } = await harness.deploy(database, 'ALTER TABLE log MODIFY what int;');
    expect(plan.steps).toMatchObject([{ strategy: 'locked_copy' }]);
    expect(row).toMatchObject({ state: 'published', error: null });
    expect(await look(database, 'SELECT COUNT(*) AS n, MAX(what) AS what FROM log')).toEqual([
      { n: 2_000, what: 7 },
    ]);
    await worker.stop();
  });
});
