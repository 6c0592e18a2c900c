import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness } from '../testing/worker-harness.js';

/** The table has more rows than the limit up to which a table may be copied with writes blocked. */
const ROWS = 6_000;

describe.each(getTestServers().engines)('a change on $engine', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
  });
  afterAll(() => harness.close());

  it(
    'one deploy renames several tables and columns and may reuse a previous name',
    { timeout: 60_000 },
    async () => {
      const database = await harness.make(
        'CREATE TABLE a (id int PRIMARY KEY, x int, y int); CREATE TABLE b (id int PRIMARY KEY, a_id int, FOREIGN KEY (a_id) REFERENCES a (id)); CREATE TABLE c (id int PRIMARY KEY, n int);',
      );
      await harness.withRoot(database, async (root) => {
        await root.run('INSERT INTO a VALUES (1, 10, 20)');
        await root.run('INSERT INTO b VALUES (2, 1)');
        await root.run('INSERT INTO c VALUES (3, 7)');
      });
      const { row, plan } = await harness.deploy(
        database,
        `RENAME TABLE a TO z, c TO a; ALTER TABLE z RENAME COLUMN x TO t; ALTER TABLE z RENAME COLUMN y TO x; ALTER TABLE z RENAME COLUMN t TO y; ALTER TABLE b RENAME COLUMN a_id TO z_id;`,
      );
      expect(row).toMatchObject({ state: 'published', error: null });
      expect(plan.steps.map((step) => step.strategy)).toEqual(['exclusive']);
      expect(plan.loss).toEqual([]);
      expect(
        await harness.check(
          database,
          'SELECT z.x, z.y, b.id AS b, a.n FROM z JOIN b ON b.z_id = z.id JOIN a',
        ),
      ).toEqual([{ x: 20, y: 10, b: 2, n: 7 }]);
    },
  );

  it(
    'a rebuild preserves checks, and their new names are not a schema change',
    { timeout: 60_000 },
    async () => {
      const database = await harness.make(
        'CREATE TABLE goods (id int PRIMARY KEY, price int, code varchar(20), CONSTRAINT price_range CHECK (price > 0));',
      );
      await harness.fill(database, 'INSERT INTO goods (id, price, code)', 'i, i, i', ROWS);
      const { row, plan } = await harness.deploy(database, 'ALTER TABLE goods MODIFY code int;');
      expect(plan.steps).toMatchObject([{ strategy: 'rebuild' }]);
      expect(row).toMatchObject({ state: 'published', error: null });
      await harness.withRoot(database, async (root) =>
        expect(root.run('UPDATE goods SET price = -1 WHERE id = 1')).rejects.toThrow(/constraint/i),
      );
      // The draft contains the name that was chosen for the check. The next deploy must neither add the check
      // again nor fail because of it.
      const next = await harness.deploy(database, 'ALTER TABLE goods ADD COLUMN note varchar(9);');
      expect(next.plan.steps.map((step) => step.sql)).toEqual(
        ['ALTER TABLE `goods` ADD COLUMN `note` varchar(9)'].map(
          (sql) => expect.stringContaining(sql) as string,
        ),
      );
      expect(next.row).toMatchObject({ state: 'published', error: null });
      const removed = await harness.deploy(database, 'ALTER TABLE goods DROP CONSTRAINT price_range;');
      expect(removed.row).toMatchObject({ state: 'published', error: null });
      await harness.withRoot(database, (root) => root.run('UPDATE goods SET price = -1 WHERE id = 1'));
    },
  );

  it('a change that existing rows prevent is rejected with these rows', { timeout: 60_000 }, async () => {
    const database = await harness.make(
      'CREATE TABLE people (id int PRIMARY KEY, name varchar(20), secret varchar(20));',
    );
    await harness.withRoot(database, (root) =>
      root.run(`INSERT INTO people VALUES (1, 'ada', 'twin7'), (2, NULL, 'twin7'), (3, NULL, 'other')`),
    );
    await harness.platform.run(
      `UPDATE tenant_database SET settings = '{"hidden_columns": {"people": ["secret"]}}' WHERE id = ?`,
      [database.id],
    );
    const { row } = await harness.deploy(
      database,
      'ALTER TABLE people MODIFY name varchar(20) NOT NULL, ADD UNIQUE KEY one_secret (secret);',
    );
    expect(row).toMatchObject({
      state: 'failed',
      error: {
        code: 'schema.rows_in_the_way',
        extra: {
          rows: [
            {
              problem: expect.stringContaining('people.name') as unknown,
              rows: [
                { id: 2, name: null },
                { id: 3, name: null },
              ],
            },
            { problem: expect.stringContaining('secret') as unknown, rows: [{ secret: '[hidden]' }] },
          ],
        },
      },
    });
    expect(row.error?.detail).toContain('(id: 2, name: NULL), (id: 3, name: NULL)');
    expect(row.error).toMatchObject({ hint: expect.stringContaining('working schema') as unknown });
    expect(JSON.stringify(row.error)).not.toContain('twin7');
  });

  it('a rebuild becomes a locked copy if the server forbids triggers', { timeout: 60_000 }, async () => {
    const database = await harness.make('CREATE TABLE big (id int PRIMARY KEY, code varchar(20));');
    await harness.fill(database, 'INSERT INTO big (id, code)', 'i, i', ROWS);
    const [server] = await harness.platform.rows<{ capabilities: string | object }>(
      'SELECT capabilities FROM server WHERE id = ?',
      [harness.serverId],
    );
    const text =
      typeof server?.capabilities === 'string' ? server.capabilities : JSON.stringify(server?.capabilities);
    await harness.platform.run('UPDATE server SET capabilities = ? WHERE id = ?', [
      JSON.stringify({ ...(JSON.parse(text) as object), rebuild: false }),
      harness.serverId,
    ]);
    try {
      const { plans } = await harness.holdDeploy(
        database.projectId,
        [database.id],
        'ALTER TABLE big MODIFY code int;',
      );
      expect(plans[0]).toMatchObject({
        needsRebuild: [],
        steps: [
          { strategy: 'locked_copy', details: { reason: expect.stringContaining('triggers') as unknown } },
        ],
      });
    } finally {
      await harness.platform.run('UPDATE server SET capabilities = ? WHERE id = ?', [text, harness.serverId]);
    }
  });

  it('a change that is cancelled during its copy leaves nothing behind', { timeout: 90_000 }, async () => {
    const database = await harness.make('CREATE TABLE halves (id int PRIMARY KEY, code varchar(20));');
    await harness.fill(database, 'INSERT INTO halves (id, code)', 'i, i', ROWS);
    const { ids } = await harness.holdDeploy(
      database.projectId,
      [database.id],
      'CREATE TABLE first_step (id int PRIMARY KEY); ALTER TABLE halves MODIFY code int;',
    );
    const id = ids[0] as string;
    await harness.stopWorkers();
    await harness.queueHeld(id);
    const worker = await harness.startWorker({ FAIL_POINTS: 'rebuild-chunk' });
    expect(await worker.exited).toBe('SIGKILL');
    expect(
      (
        await harness.check<{ n: number }>(
          database,
          `SELECT COUNT(*) AS n FROM information_schema.TABLES WHERE TABLE_SCHEMA = '${database.schemaName}' AND TABLE_NAME LIKE '\\_rh\\_%'`,
        )
      )[0]?.n,
    ).toBe(1);
    await harness.platform.run('UPDATE migration SET cancel_requested_at = UTC_TIMESTAMP(3) WHERE id = ?', [
      id,
    ]);
    await harness.expireLeases();
    // The copy is reverted although its table is in use at first.
    await harness.withRoot(database, async (root) => {
      await root.run('START TRANSACTION');
      await root.rows('SELECT COUNT(*) FROM halves');
      await harness.startWorker();
      await expect
        .poll(() => harness.platform.rows('SELECT state FROM migration WHERE id = ?', [id]), {
          timeout: 30_000,
        })
        .toEqual([{ state: 'waiting_for_lock' }]);
      await root.run('COMMIT');
    });
    expect(await harness.waitMigration(id)).toMatchObject({ state: 'cancelled', error: null });
    const left = await harness.check<{ name: string }>(
      database,
      `SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = '${database.schemaName}' UNION ALL SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = '${database.schemaName}' ORDER BY name`,
    );
    expect(left.map((row) => row.name).filter((name) => name !== 'first_step')).toEqual(['halves']);
    expect(
      (await harness.readSnapshot(database.id)).snapshot.tables.find((table) => table.name === 'halves')
        ?.columns[1],
    ).toMatchObject({ type: 'varchar' });
    // The next migration can run.
    expect((await harness.deploy(database, 'ALTER TABLE halves ADD COLUMN note int;')).row.state).toBe(
      'published',
    );
  });

  it(
    'a drop that is cancelled halfway restores the table with its triggers and keys',
    { timeout: 90_000 },
    async () => {
      const database =
        await harness.make(`CREATE TABLE owners (id int PRIMARY KEY); CREATE TABLE pets (id int PRIMARY KEY, owner_id int, name varchar(9), FOREIGN KEY (owner_id) REFERENCES owners (id));
      CREATE TRIGGER loud BEFORE INSERT ON pets FOR EACH ROW SET NEW.name = UPPER(NEW.name);`);
      await harness.withRoot(database, (root) => root.run(`INSERT INTO pets VALUES (1, NULL, 'rex')`));
      const { ids } = await harness.holdDeploy(database.projectId, [database.id], 'DROP TABLE pets;');
      const id = ids[0] as string;
      await harness.stopWorkers();
      await harness.queueHeld(id);
      const worker = await harness.startWorker({ FAIL_POINTS: 'keep-keys-gone' });
      expect(await worker.exited).toBe('SIGKILL');
      await harness.platform.run('UPDATE migration SET cancel_requested_at = UTC_TIMESTAMP(3) WHERE id = ?', [
        id,
      ]);
      await harness.expireLeases();
      await harness.startWorker();
      expect(await harness.waitMigration(id)).toMatchObject({ state: 'cancelled', error: null });
      await harness.withRoot(database, async (root) => {
        await root.run(`INSERT INTO pets VALUES (2, NULL, 'tom')`);
        expect(await root.rows('SELECT name FROM pets ORDER BY id')).toEqual([
          { name: 'REX' },
          { name: 'TOM' },
        ]);
        await expect(root.run(`INSERT INTO pets VALUES (3, 9, 'bob')`)).rejects.toThrow(/foreign key/);
      });
      expect(
        await harness.platform.rows('SELECT id FROM kept_object WHERE database_id = ?', [database.id]),
      ).toEqual([]);
      expect((await harness.readSnapshot(database.id)).snapshot.tables.map((table) => table.name)).toEqual([
        'owners',
        'pets',
      ]);
    },
  );
});
