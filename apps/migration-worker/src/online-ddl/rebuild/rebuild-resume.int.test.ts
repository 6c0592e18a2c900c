import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REBUILD_PHASES } from '@rowhouse/platform-store';
import { samplePoints } from '../../testing/sample-points.js';
import { expectPublished, holdChange, type WaitingChange } from '../../testing/waiting-change.js';
import { WorkerHarness } from '../../testing/worker-harness.js';

const BASE = `
  CREATE TABLE users (id int AUTO_INCREMENT PRIMARY KEY, name varchar(20));
  CREATE TABLE nodes (id int AUTO_INCREMENT PRIMARY KEY, user_id int, parent_id int, name varchar(50), CONSTRAINT owned FOREIGN KEY (user_id) REFERENCES users (id),
    FOREIGN KEY (parent_id) REFERENCES nodes (id) ON DELETE CASCADE);
  CREATE TABLE leaves (id int AUTO_INCREMENT PRIMARY KEY, node_id int NOT NULL, FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE CASCADE);
  CREATE TABLE audit (id int AUTO_INCREMENT PRIMARY KEY, node_id int);
  CREATE TRIGGER nodes_audit AFTER INSERT ON nodes FOR EACH ROW INSERT INTO audit (node_id) VALUES (NEW.id);
`;
/**
 * `table` rebuilds one table with a child table that is not rebuilt. The other change rebuilds several tables
 * that are connected by foreign keys.
 */
const CHANGES = {
  table: 'ALTER TABLE nodes MODIFY name varchar(200);',
  family: `ALTER TABLE leaves DROP FOREIGN KEY leaves_ibfk_1; ALTER TABLE nodes DROP FOREIGN KEY nodes_ibfk_1;
    ALTER TABLE nodes MODIFY id bigint AUTO_INCREMENT, MODIFY parent_id bigint; ALTER TABLE leaves MODIFY node_id bigint NOT NULL;
    ALTER TABLE nodes ADD CONSTRAINT nodes_ibfk_1 FOREIGN KEY (parent_id) REFERENCES nodes (id) ON DELETE CASCADE;
    ALTER TABLE leaves ADD CONSTRAINT leaves_ibfk_1 FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE CASCADE;`,
};
const POINTS = [
  ...REBUILD_PHASES.flatMap((phase) => [`before-rebuild-${phase}`, `after-rebuild-${phase}`]),
  'rebuild-chunk',
  'rebuild-look',
  'rebuild-locked',
  'rebuild-aside',
  'rebuild-renamed',
];
/**
 * The points at which a test run kills the worker: each point once, for one kind of rebuild and on one
 * engine, because a point takes two processes. `KILL_POINTS=all`, a list of names, or `pnpm test:long
 * kill-ledger` tests the points for all kinds and engines.
 */
const SAMPLE = {
  table: ['rebuild-chunk', 'after-rebuild-attach', 'rebuild-locked', 'rebuild-renamed'],
  family: ['after-rebuild-copy', 'rebuild-look', 'after-rebuild-repoint', 'rebuild-aside'],
};
const ASKED = process.env['KILL_POINTS'];
const ENGINES = getTestServers().engines;
const pointsOf = (kind: keyof typeof CHANGES, engineAt: number): readonly string[] =>
  ASKED === undefined || ASKED === 'all'
    ? samplePoints(POINTS, SAMPLE[kind], engineAt, ENGINES.length)
    : POINTS.filter((point) => ASKED.split(',').includes(point));
const ROWS = 2_400;

describe.each(ENGINES)('a rebuild on $engine whose worker is killed', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
  });
  afterAll(() => harness.close());

  /** Deploys the schema, inserts rows, and queues the change. No worker runs after that. */
  async function prepare(points: readonly string[], change: string): Promise<WaitingChange[]> {
    const worker = await harness.startWorker();
    const prepared: WaitingChange[] = [];
    for (const point of points) {
      const database = await harness.make(BASE);
      const root = await harness.openRoot(database.schemaName);
      await root.run(`INSERT INTO users (name) VALUES ('ada')`);
      await harness.fill(database, 'INSERT INTO nodes (user_id, name)', `1, CONCAT('n', i)`, ROWS);
      await root.run('UPDATE nodes SET parent_id = id - 1 WHERE id % 3 = 0');
      await root.run('INSERT INTO leaves (node_id) SELECT id FROM nodes');
      await root.run('DELETE FROM audit');
      await root.close();
      prepared.push(await holdChange(harness, database, point, change));
    }
    await worker.stop();
    return prepared;
  }

  async function assertWhole(waiting: WaitingChange): Promise<void> {
    const { point, database } = waiting;
    await expectPublished(harness, waiting);
    expect({ point, left: await harness.listLeftovers(database) }).toEqual({ point, left: [] });
    const root = await harness.openRoot(database.schemaName);
    const [counts] = await root.rows<Record<string, number>>(
      'SELECT (SELECT COUNT(*) FROM nodes) AS nodes, (SELECT COUNT(*) FROM leaves) AS leaves, (SELECT COUNT(parent_id) FROM nodes) AS parents',
    );
    expect({ point, ...counts }).toEqual({ point, nodes: ROWS, leaves: ROWS, parents: ROWS / 3 });
    // The foreign key and the trigger still work after the rebuild.
    await expect(root.run('INSERT INTO leaves (node_id) VALUES (9999999)')).rejects.toThrow(/foreign key/);
    await root.run(`INSERT INTO nodes (name) VALUES ('last')`);
    expect(await root.rows('SELECT COUNT(*) AS n FROM audit')).toEqual([{ n: 1 }]);
    await root.close();
  }

  it.each(['table', 'family'] as const)(
    'another worker completes a rebuild whose worker was killed, and leaves nothing behind: %s',
    { timeout: 400_000 },
    async (kind) => {
      const waiting = await prepare(pointsOf(kind, ENGINES.indexOf(mysql)), CHANGES[kind]);
      for (const entry of waiting) {
        await harness.queueHeld(entry.migrationId);
        const worker = await harness.startWorker({ FAIL_POINTS: entry.point });
        const how = await Promise.race([
          worker.exited,
          harness.waitMigration(entry.migrationId).then((row) => row.state),
        ]);
        expect({ point: entry.point, how }).toEqual({ point: entry.point, how: 'SIGKILL' });
      }
      await harness.expireLeases();
      await harness.startWorker();
      for (const entry of waiting) await assertWhole(entry);
      await harness.stopWorkers();
    },
  );
});
