import { openAdminConnection, type AdminConnection } from '@rowhouse/mysql';
import { structureText } from '@rowhouse/ddl-plan';
import { introspectSchema } from '@rowhouse/mysql';
import { createTestDatabase, getTestServers, type TestDatabase } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toSnapshot } from '../../snapshots/fingerprints.js';
import { samplePoints } from '../../testing/sample-points.js';
import { killAtPoints } from '../../testing/waiting-change.js';
import { WorkerHarness, type TestDb } from '../../testing/worker-harness.js';

const COLUMNS = 'id int PRIMARY KEY, a varchar(9), b varchar(9), c varchar(9)';
const NAMES = ['swap', 'changed', 'rotate', 'freed', 'dropped', 'again', 'chain', 'cased', 'pair'];
const BASE = `
  ${NAMES.map((name) => `CREATE TABLE ${name} (${COLUMNS});`).join('\n')}
  CREATE TABLE keyed (id int PRIMARY KEY, code int NOT NULL, note varchar(9), KEY nc (note, code));
  CREATE TABLE t (${COLUMNS});
  CREATE TABLE gone (${COLUMNS});
  CREATE TABLE heir (${COLUMNS});
  CREATE TABLE p (${COLUMNS});
  CREATE TABLE q (id int PRIMARY KEY, p_id int, FOREIGN KEY (p_id) REFERENCES p (id));
  CREATE TABLE r (id int PRIMARY KEY, q_id int, CONSTRAINT of_q FOREIGN KEY (q_id) REFERENCES q (id));
  CREATE TABLE fan (id int PRIMARY KEY, r_id int);
  CREATE TABLE same1 (${COLUMNS});
  CREATE TABLE same2 (${COLUMNS});
  CREATE TABLE fresh (${COLUMNS});
  CREATE VIEW seen AS SELECT id, a FROM swap;
  CREATE TRIGGER shout BEFORE INSERT ON same1 FOR EACH ROW SET NEW.a = UPPER(NEW.a);
`;
const ROWS = [
  ...[...NAMES, 't', 'gone', 'heir', 'p', 'same1', 'same2', 'fresh'].map(
    (name) => `INSERT INTO ${name} VALUES (1, 'A-${name.slice(0, 4)}', 'B', 'C')`,
  ),
  "INSERT INTO keyed VALUES (1, 7, 'n'), (2, 8, 'm')",
  'INSERT INTO q VALUES (5, 1)',
  'INSERT INTO r VALUES (9, 5)',
  'INSERT INTO fan VALUES (1, 9)',
];
const CHANGE = `
  ALTER TABLE swap RENAME COLUMN a TO b, RENAME COLUMN b TO a;
  ALTER TABLE changed CHANGE a b varchar(40), CHANGE b a varchar(20) NOT NULL;
  ALTER TABLE rotate RENAME COLUMN a TO b, RENAME COLUMN b TO c, RENAME COLUMN c TO a;
  ALTER TABLE freed RENAME COLUMN a TO d, ADD COLUMN a int NOT NULL;
  ALTER TABLE dropped DROP COLUMN b, RENAME COLUMN a TO b;
  ALTER TABLE again DROP COLUMN a, ADD COLUMN a varchar(9) AFTER id;
  ALTER TABLE chain RENAME COLUMN a TO x; ALTER TABLE chain RENAME COLUMN b TO a; ALTER TABLE chain RENAME COLUMN x TO b;
  ALTER TABLE cased RENAME COLUMN a TO A, CHANGE b B varchar(9);
  ALTER TABLE pair RENAME TO pair2, RENAME COLUMN a TO c, RENAME COLUMN c TO a; CREATE TABLE pair (id int PRIMARY KEY);
  ALTER TABLE keyed DROP PRIMARY KEY, DROP COLUMN id, RENAME COLUMN code TO id, ADD PRIMARY KEY (id);
  RENAME TABLE t TO t_old; CREATE TABLE t (id int PRIMARY KEY, z int);
  DROP TABLE gone; RENAME TABLE heir TO gone;
  RENAME TABLE p TO o, r TO p, q TO r, o TO q;
  ALTER TABLE fan ADD KEY k (r_id), ADD CONSTRAINT of_p FOREIGN KEY (r_id) REFERENCES p (id);
  RENAME TABLE same1 TO o, same2 TO same1, o TO same2;
  DROP TABLE fresh; CREATE TABLE fresh (${COLUMNS});
`;

const POINTS = [
  'requests-paused',
  'exclusive-kept',
  'exclusive-stripped',
  'exclusive-renamed',
  'exclusive-alter',
  'exclusive-altered',
  'exclusive-published',
  'requests-published',
];
const ENGINES = getTestServers().engines;

describe.each(ENGINES)('renames whose names are used again, on $engine', (mysql) => {
  let harness: WorkerHarness;
  let plain: TestDatabase;
  let mirror: AdminConnection;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    plain = await createTestDatabase(mysql, 'rn');
    mirror = await openAdminConnection({
      host: mysql.host,
      port: mysql.port,
      user: mysql.user,
      password: mysql.password,
      database: plain.name,
    });
  });
  afterAll(async () => {
    await mirror.close();
    await plain.drop();
    await harness.close();
  });

  async function resetMirror(...texts: string[]): Promise<void> {
    await mirror.run(`DROP DATABASE ${plain.name}`);
    await mirror.run(`CREATE DATABASE ${plain.name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
    await mirror.run(`USE ${plain.name}`);
    for (const sql of texts
      .flatMap((text) => text.split(';\n'))
      .flatMap((text) => text.split('; '))
      .map((text) => text.trim().replace(/;$/, ''))
      .filter((text) => text !== ''))
      await mirror.run(sql);
  }

  async function describeAll(
    connection: AdminConnection,
    schemaName: string,
  ): Promise<Record<string, unknown>> {
    const snapshot = toSnapshot({
      engine: mysql.engine,
      tables: await introspectSchema(connection, schemaName, mysql.engine),
    });
    const rows: Record<string, unknown> = {};
    for (const table of snapshot.tables)
      rows[table.name] = await connection.rows(
        `SELECT ${table.columns.map((column) => `\`${column.name}\``).join(', ')} FROM \`${table.name}\` ORDER BY 1`,
      );
    return { structure: structureText(snapshot).split('],['), rows };
  }

  const expectLikePlain = async (database: TestDb): Promise<void> => {
    const expected = await describeAll(mirror, plain.name);
    expect(await harness.withRoot(database, (root) => describeAll(root, database.schemaName))).toEqual(
      expected,
    );
    expect(await harness.listLeftovers(database)).toEqual([]);
  };

  async function makeFilled(): Promise<TestDb> {
    const database = await harness.make(BASE);
    await harness.withRoot(database, async (root) => {
      for (const sql of ROWS) await root.run(sql);
    });
    return database;
  }

  it(
    'several renames in one deploy have the same result as single statements on the server',
    { timeout: 90_000 },
    async () => {
      const worker = await harness.startWorker();
      const database = await makeFilled();
      const { row, plan } = await harness.deploy(database, CHANGE);
      expect(row).toMatchObject({ state: 'published', error: null });
      await resetMirror(BASE, ROWS.join(';\n'), CHANGE);
      await expectLikePlain(database);
      expect(plan.steps.filter((step) => step.strategy === 'exclusive')).toHaveLength(1);
      expect([...plan.loss].sort()).toEqual([
        'column again.a with its values',
        'column dropped.b with its values',
        'column keyed.id with its values',
        'table fresh with all its rows',
        'table gone with all its rows',
      ]);
      const back = await harness.revert(database, row.id);
      expect(back.row).toMatchObject({ state: 'published', error: null });
      await resetMirror(BASE, ROWS.join(';\n'));
      await expectLikePlain(database);
      await worker.stop();
    },
  );

  it(
    'renames over several schema versions have the same result on a database that has none of them',
    { timeout: 90_000 },
    async () => {
      const worker = await harness.startWorker();
      const database = await makeFilled();
      const production = await harness.provision('production', database.projectId);
      const first = await harness.queueDeploy(
        database.projectId,
        [production.id],
        'CREATE TABLE extra (id int PRIMARY KEY);',
      );
      expect(await harness.waitMigration(first.ids[0] as string)).toMatchObject({
        state: 'published',
        error: null,
      });
      await harness.withRoot(production, async (root) => {
        for (const sql of ROWS) await root.run(sql);
      });
      const steps = CHANGE.trim()
        .split('\n')
        .map((text) => text.trim());
      for (const text of steps.slice(0, 8)) await harness.queueDeploy(database.projectId, [], text);
      expect((await harness.deploy(database, steps.slice(8, 12).join('\n'))).row).toMatchObject({
        state: 'published',
        error: null,
      });
      const last = await harness.queueDeploy(
        database.projectId,
        [database.id, production.id],
        steps.slice(12).join('\n'),
      );
      for (const id of last.ids)
        expect(await harness.waitMigration(id)).toMatchObject({ state: 'published', error: null });
      await resetMirror(BASE, ROWS.join(';\n'), 'CREATE TABLE extra (id int PRIMARY KEY)', CHANGE);
      await expectLikePlain(database);
      await expectLikePlain(production);
      await worker.stop();
    },
  );

  it(
    'renames are not executed when rows do not fit later steps of the plan',
    { timeout: 90_000 },
    async () => {
      const helper = await harness.startWorker();
      const base = `CREATE TABLE t (${COLUMNS}); CREATE TABLE u (${COLUMNS});`;
      const database = await harness.make(base);
      const rows = [
        "INSERT INTO t VALUES (1, 'A', 'B', 'C'), (2, 'A', 'B2', 'C')",
        "INSERT INTO u VALUES (3, 'x', 'y', 'z')",
      ];
      const asRoot = (...texts: string[]): Promise<void> =>
        harness.withRoot(database, async (root) => {
          for (const sql of texts) await root.run(sql);
        });
      await asRoot(...rows);
      const change =
        'RENAME TABLE t TO o, u TO t, o TO u; ALTER TABLE u RENAME COLUMN a TO b, RENAME COLUMN b TO a; ALTER TABLE u ADD UNIQUE KEY ub (b);';
      const rejected = await harness.deploy(database, change);
      expect(rejected.row).toMatchObject({
        state: 'failed',
        error: {
          code: 'schema.rows_in_the_way',
          detail: expect.stringContaining('u contains the same b more than once') as unknown,
        },
      });
      await resetMirror(base, rows.join(';\n'));
      await expectLikePlain(database);

      await asRoot("UPDATE t SET a = 'A2' WHERE id = 2");
      const { ids } = await harness.holdDeploy(database.projectId, [database.id], '');
      await helper.stop();
      await harness.queueHeld(ids[0] as string);
      expect(await (await harness.startWorker({ FAIL_POINTS: 'requests-published' })).exited).toBe('SIGKILL');
      await asRoot("UPDATE u SET b = 'A' WHERE id = 2");
      await harness.expireLeases();
      const worker = await harness.startWorker();
      expect(await harness.waitMigration(ids[0] as string)).toMatchObject({
        state: 'failed',
        error: { code: 'schema.rows_in_the_way' },
      });
      await asRoot("UPDATE u SET b = 'A2' WHERE id = 2");
      const again = await harness.deploy(database, '');
      expect([again.row.state, again.plan.steps.map((step) => step.sql)]).toEqual([
        'published',
        ['ALTER TABLE `u` ADD UNIQUE KEY `ub` (`b`)'],
      ]);
      await resetMirror(base, rows.join(';\n'), "UPDATE t SET a = 'A2' WHERE id = 2", change);
      await expectLikePlain(database);
      await worker.stop();
    },
  );

  it('renames are executed once, wherever a worker is killed', { timeout: 120_000 }, async () => {
    const points = samplePoints(
      POINTS,
      ['exclusive-stripped', 'exclusive-renamed', 'exclusive-altered', 'exclusive-published'],
      ENGINES.indexOf(mysql),
      ENGINES.length,
    );
    const waiting = await killAtPoints(harness, points, makeFilled, CHANGE);
    const last = await harness.startWorker();
    await resetMirror(BASE, ROWS.join(';\n'), CHANGE);
    for (const { point, database, migrationId } of waiting) {
      expect({ point, row: await harness.waitMigration(migrationId) }).toMatchObject({
        point,
        row: { state: 'published', error: null },
      });
      await expectLikePlain(database);
    }
    await last.stop();
  });
});
