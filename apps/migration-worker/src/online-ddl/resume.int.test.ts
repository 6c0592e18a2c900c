import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePoints } from '../testing/sample-points.js';
import { expectPublished, holdChange, type WaitingChange } from '../testing/waiting-change.js';
import { WorkerHarness } from '../testing/worker-harness.js';

const BASE = `
  CREATE TABLE users (id int AUTO_INCREMENT PRIMARY KEY, username varchar(50) NOT NULL, bio text);
  CREATE TABLE posts (id int AUTO_INCREMENT PRIMARY KEY, title varchar(255) NOT NULL, user_id int NOT NULL, FOREIGN KEY (user_id) REFERENCES users (id));
  CREATE TABLE comments (id int PRIMARY KEY, post_id int, FOREIGN KEY (post_id) REFERENCES posts (id));
`;
/**
 * The steps of this change run before and after publishing, some with row checks. They use the instant,
 * in-place and copy algorithms.
 */
const CHANGE = `
  ALTER TABLE users ADD COLUMN nick varchar(40), ADD COLUMN country char(2) NOT NULL, DROP COLUMN bio;
  ALTER TABLE posts RENAME COLUMN title TO headline;
  ALTER TABLE posts ADD INDEX by_headline (headline), ADD COLUMN editor_id int, ADD CONSTRAINT edited FOREIGN KEY (editor_id) REFERENCES users (id);
  CREATE TABLE likes (id int AUTO_INCREMENT PRIMARY KEY, post_id int NOT NULL, FOREIGN KEY (post_id) REFERENCES posts (id));
  DROP TABLE comments;
`;
const POINTS = [
  'migration-claimed',
  'journal-written',
  'preflight-done',
  'before-grant',
  'after-grant',
  'before-check_rows',
  'after-check_rows',
  'before-publish_target',
  'before-prepare',
  'after-prepare',
  'before-publish_pair',
  'after-publish_pair',
  'published-not-announced',
  'after-publish_target',
  'before-acknowledge',
  'after-acknowledge',
  'before-publish',
  'after-publish',
  'before-end',
];
/**
 * The numbers of the points before and after each DDL statement of the plan. The rename is between `prepare`,
 * `acknowledge` and `grant`, `publish_pair`. Five more follow before publishing, and four after the four
 * actions of publishing.
 */
const AHEAD = [3, 6, 7, 8, 9, 10];
const BEHIND = [15, 16, 17, 18];
const DDL_POINTS = [...AHEAD, ...BEHIND].flatMap((ordinal) => [
  `before-ddl-${ordinal}`,
  `after-ddl-${ordinal}`,
]);

/**
 * The points at which a test run kills the worker. Each takes a process, so only points of different kinds
 * are tested. `KILL_POINTS=all` and `pnpm test:long kill-ledger` test all points.
 */
const SAMPLE = [
  'after-prepare',
  'after-ddl-3',
  'after-publish_pair',
  'after-ddl-15',
  'published-not-announced',
  'before-end',
];
const KILLED_AT = samplePoints([...POINTS, ...DDL_POINTS], SAMPLE, 0, 1);

let harness: WorkerHarness;
beforeAll(async () => {
  harness = await WorkerHarness.create();
});
afterAll(() => harness.close());

/** Deploys the schema of a blog, inserts rows, and queues the change. No worker runs after that. */
async function prepare(points: readonly string[]): Promise<WaitingChange[]> {
  const worker = await harness.startWorker();
  const prepared: WaitingChange[] = [];
  for (const point of points) {
    const database = await harness.make(BASE);
    const rows = await harness.openAs(database.id, database.schemaName, 'rows');
    await rows.run(`INSERT INTO users (username, bio) VALUES ('ada', 'x')`);
    await rows.run(`INSERT INTO posts (title, user_id) VALUES ('first', 1)`);
    await rows.close();
    prepared.push(await holdChange(harness, database, point, CHANGE));
  }
  await worker.stop();
  return prepared;
}

async function assertWhole(waiting: WaitingChange): Promise<void> {
  const { database } = waiting;
  const snapshot = await expectPublished(harness, waiting);
  // The next plan of the database has no steps, so the migration has changed nothing beyond its plan.
  await harness
    .runTask('plan_schema', {
      project_id: database.projectId,
      base: snapshot,
      mode: 'apply',
      sql: '',
      target_database_ids: [database.id],
    })
    .then(({ plans }) => expect(plans[0]?.steps).toEqual([]));
  const rows = await harness.openAs(database.id, database.schemaName, 'rows');
  expect(
    await rows.rows('SELECT headline, country FROM posts JOIN users ON users.id = posts.user_id'),
  ).toEqual([{ headline: 'first', country: '' }]);
  await rows.close();
}

describe('a migration whose worker is killed', () => {
  it(
    'another worker completes a migration as planned, wherever the first worker is killed',
    { timeout: 240_000 },
    async () => {
      const waiting = await prepare(KILLED_AT);
      const { steps } = (waiting[0] as WaitingChange).plan;
      expect([
        steps.filter((step) => step.beforePublish !== null).length,
        steps.filter((step) => step.afterPublish !== null).length,
      ]).toEqual([AHEAD.length, BEHIND.length]);
      for (const entry of waiting) {
        await harness.queueHeld(entry.migrationId);
        const worker = await harness.startWorker({ FAIL_POINTS: entry.point });
        const how = await Promise.race([
          worker.exited,
          harness.waitMigration(entry.migrationId).then(() => 'ended'),
        ]);
        expect({ point: entry.point, how }).toEqual({ point: entry.point, how: 'SIGKILL' });
      }
      await harness.expireLeases();
      await harness.startWorker();
      for (const entry of waiting) await assertWhole(entry);
      await harness.stopWorkers();
    },
  );

  it('another worker creates each of several new tables only once', { timeout: 60_000 }, async () => {
    const worker = await harness.startWorker();
    const database = await harness.provision();
    const waiting = await holdChange(
      harness,
      database,
      'after-ddl-2',
      'CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY, FOREIGN KEY (id) REFERENCES a (id)); CREATE TABLE c (id int PRIMARY KEY);',
    );
    await worker.stop();
    await harness.queueHeld(waiting.migrationId);
    expect(await (await harness.startWorker({ FAIL_POINTS: waiting.point })).exited).toBe('SIGKILL');
    await harness.expireLeases();
    await harness.startWorker();
    await expectPublished(harness, waiting);
    const steps = await harness.platform.rows<{ state: string }>(
      'SELECT DISTINCT state FROM migration_step WHERE migration_id = ?',
      [waiting.migrationId],
    );
    expect(steps).toEqual([{ state: 'done' }]);
    await harness.stopWorkers();
  });

  it(
    'a slow worker stops when another worker has taken over its migration',
    { timeout: 120_000 },
    async () => {
      const [entry] = (await prepare(['slow'])) as [WaitingChange];
      const holder = await harness.openAs(entry.database.id, entry.database.schemaName, 'rows');
      await holder.run('START TRANSACTION');
      await holder.rows('SELECT * FROM posts');
      await harness.queueHeld(entry.migrationId);
      const slow = await harness.startWorker();
      await harness.poll(async () =>
        (await harness.readMigration(entry.migrationId)).state === 'waiting_for_lock' ? true : null,
      );
      slow.pause();
      await harness.expireLeases();
      const quick = await harness.startWorker();
      await harness.poll(async () =>
        (await harness.readMigration(entry.migrationId)).attempt === 2 ? true : null,
      );
      await holder.run('COMMIT');
      await holder.close();
      slow.resume();
      await assertWhole(entry);
      await quick.stop();
      await slow.stop();
      expect(slow.output).toMatch(/another worker took this over|a job was interrupted/);
    },
  );
});
