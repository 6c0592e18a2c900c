import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness } from '../../testing/worker-harness.js';

const ROWS = 300;
/**
 * The change alters the types of these columns, and cascades write to them. A cascade's writes do not run
 * triggers.
 */
const BASE = `
  CREATE TABLE nodes (id int AUTO_INCREMENT PRIMARY KEY, code varchar(20) NOT NULL, UNIQUE KEY by_code (code));
  CREATE TABLE notes (id int AUTO_INCREMENT PRIMARY KEY, node_id int, CONSTRAINT about FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE SET NULL ON UPDATE CASCADE);
  CREATE TABLE moves (id int AUTO_INCREMENT PRIMARY KEY, node_id int NOT NULL, CONSTRAINT moved FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE CASCADE ON UPDATE CASCADE);
  CREATE TABLE labels (id int AUTO_INCREMENT PRIMARY KEY, code varchar(20), CONSTRAINT named FOREIGN KEY (code) REFERENCES nodes (code) ON DELETE SET NULL ON UPDATE CASCADE);`;
const CHANGE = `
  ALTER TABLE notes DROP FOREIGN KEY about; ALTER TABLE moves DROP FOREIGN KEY moved; ALTER TABLE labels DROP FOREIGN KEY named;
  ALTER TABLE nodes MODIFY id bigint AUTO_INCREMENT, MODIFY code varchar(60) NOT NULL;
  ALTER TABLE notes MODIFY node_id bigint; ALTER TABLE moves MODIFY node_id bigint NOT NULL; ALTER TABLE labels MODIFY code varchar(60);
  ALTER TABLE notes ADD CONSTRAINT about FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE SET NULL ON UPDATE CASCADE;
  ALTER TABLE moves ADD CONSTRAINT moved FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE CASCADE ON UPDATE CASCADE;
  ALTER TABLE labels ADD CONSTRAINT named FOREIGN KEY (code) REFERENCES nodes (code) ON DELETE SET NULL ON UPDATE CASCADE;`;
const TABLES = ['nodes', 'notes', 'moves', 'labels'] as const;

describe.each(getTestServers().engines)('cascades during a rebuild on $engine', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
  });
  afterAll(() => harness.close());

  it(
    'a rebuild applies foreign key cascades before its copy has foreign keys',
    { timeout: 120_000 },
    async () => {
      const first = await harness.startWorker();
      const database = await harness.make(BASE);
      const root = await harness.openRoot(database.schemaName);
      await root.run(
        `INSERT INTO nodes (code) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT CONCAT('c', i) FROM n`,
      );
      await root.run('INSERT INTO notes (node_id) SELECT id FROM nodes');
      await root.run('INSERT INTO moves (node_id) SELECT id FROM nodes');
      await root.run('INSERT INTO labels (code) SELECT code FROM nodes');
      const { ids, plans } = await harness.holdDeploy(database.projectId, [database.id], CHANGE);
      expect(plans[0]?.steps.map((step) => step.strategy)).toContain('rebuild_family');
      await first.stop();

      await harness.queueHeld(ids[0] as string);
      expect(await (await harness.startWorker({ FAIL_POINTS: 'before-rebuild-attach' })).exited).toBe(
        'SIGKILL',
      );
      await root.run('DELETE FROM nodes WHERE id BETWEEN 11 AND 50');
      await root.run('UPDATE nodes SET id = id + 1000000 WHERE id BETWEEN 101 AND 120');
      await root.run(`UPDATE nodes SET code = CONCAT('moved', code) WHERE id BETWEEN 201 AND 220`);
      const read = async (): Promise<unknown[]> => {
        const lists: unknown[] = [];
        for (const table of TABLES) lists.push(await root.rows(`SELECT * FROM ${table} ORDER BY id`));
        return lists;
      };
      const before = await read();

      await harness.expireLeases();
      await harness.startWorker();
      expect(await harness.waitMigration(ids[0] as string)).toMatchObject({
        state: 'published',
        error: null,
      });
      expect(await read()).toEqual(before);
      await root.close();
      await harness.stopWorkers();
    },
  );
});
