import { createId } from '@rowhouse/runtime';
import { getTestServers, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

const SHOP = `
  CREATE TABLE customers (id int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, email varchar(190) NOT NULL UNIQUE, profile json, created_at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3));
  CREATE TABLE orders (
    id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, customer_id int unsigned NOT NULL, total decimal(10,2) NOT NULL DEFAULT 0.00, state enum('open','paid') NOT NULL DEFAULT 'open',
    net decimal(10,2) GENERATED ALWAYS AS (total / 1.19) STORED, CONSTRAINT positive CHECK (total >= 0), KEY by_state (state), FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE
  );
  CREATE VIEW open_orders AS SELECT id, total FROM orders WHERE state = 'open';`;

const { engines } = getTestServers();

/** These tests need a server of each engine. */
describe.skipIf(engines.length < 2).each(engines.map((engine) => [engine.engine, engine] as const))(
  'a project with databases on both engines, drafted for %s',
  (_name, mysql: TestMysql) => {
    let harness: WorkerHarness;
    let own: TestDb;
    let foreign: TestDb;

    beforeAll(async () => {
      harness = await WorkerHarness.create(mysql);
      const otherServer = await harness.addServer(engines.find((item) => item !== mysql) as TestMysql);
      await harness.startWorker();
      const projectId = createId('prj');
      own = await harness.provision('development', projectId);
      foreign = await harness.provision('mirror', projectId, otherServer);
    }, 60_000);

    afterAll(async () => {
      if (foreign !== undefined) await harness.runTask('drop_database', { database_id: foreign.id });
      await harness?.close();
    }, 30_000);

    const draftEngines = async (): Promise<string[]> =>
      (
        await harness.platform.rows<{ snapshot: string }>(
          'SELECT snapshot FROM working_schema WHERE project_id = ? ORDER BY revision',
          [own.projectId],
        )
      ).map((row) => (JSON.parse(row.snapshot) as { engine: string }).engine);

    it('one deploy changes both databases, and the draft stays on its engine', async () => {
      const { ids } = await harness.queueDeploy(own.projectId, [own.id, foreign.id], SHOP, 'replace');
      const rows = await Promise.all(ids.map((id) => harness.waitMigration(id)));
      expect(rows.map(({ state, error }) => ({ state, error }))).toEqual([
        { state: 'published', error: null },
        { state: 'published', error: null },
      ]);
      const change = await harness.deploy(
        foreign,
        "ALTER TABLE customers ADD COLUMN name varchar(80) NOT NULL DEFAULT '';",
      );
      expect([change.row.state, change.plan.steps.map((step) => step.table)]).toEqual([
        'published',
        ['customers'],
      ]);
      // The first text of a project has no base, so it is written for the engine of its first target. Later
      // texts keep that engine.
      expect(await draftEngines()).toEqual([mysql.engine, mysql.engine]);
    });

    it('a plan for the other engine has no steps after its deploy', async () => {
      const { plans } = await harness.holdDeploy(own.projectId, [foreign.id], '');
      expect(plans.map((plan) => plan.steps.map((step) => step.sql))).toEqual([[]]);
    });
  },
);
