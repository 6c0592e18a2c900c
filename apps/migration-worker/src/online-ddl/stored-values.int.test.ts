import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

const COLUMNS = `d date NOT NULL, dt datetime NOT NULL, ts timestamp NULL, e enum('x','y') NOT NULL, flag tinyint(1), n int, ratio double GENERATED ALWAYS AS (1 / n) STORED, note varchar(20)`;
const VALUES = `HEX(CONCAT(d)) AS d, HEX(CONCAT(dt)) AS dt, HEX(CONCAT(ts)) AS ts, e + 0 AS e, flag + 0 AS flag, ratio, HEX(note) AS note`;

describe.each(getTestServers().engines)('values that strict mode rejects, on $engine', (mysql) => {
  let harness: WorkerHarness;

  beforeAll(async () => {
    harness = await WorkerHarness.start(mysql);
  }, 120_000);
  afterAll(() => harness.close());

  async function makeLegacy(rows: number, key: string): Promise<TestDb> {
    const database = await harness.make(`CREATE TABLE legacy (${key}, ${COLUMNS})`);
    await harness.withRoot(database, async (root) => {
      await root.run("SET SESSION sql_mode = 'ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO'");
      await root.run(`INSERT IGNORE INTO legacy (id, d, dt, ts, e, flag, n, note) VALUES (0, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00', '', 7, 0, 'a'),
        (1, '2020-00-10', '2020-02-30 01:02:03', NULL, 'none', -128, 1, NULL), (2, '2020-02-30', '2020-00-00 00:00:00', '2020-01-02 03:04:05', 'y', 127, NULL, 'b')`);
    });
    if (rows > 3)
      await harness.fill(
        database,
        'INSERT INTO legacy (id, d, dt, e, n)',
        `i + 9, '2024-02-29', '2024-02-29', 'x', i`,
        rows,
      );
    return database;
  }
  const read = (database: TestDb): Promise<unknown[]> =>
    harness.check(database, `SELECT id, ${VALUES} FROM legacy ORDER BY id`);

  it.each([
    ['copied under a lock', 3, 'id int AUTO_INCREMENT PRIMARY KEY', 'copy_small'],
    ['rebuilt while it is written to', 1_600, 'id int AUTO_INCREMENT PRIMARY KEY', 'rebuild'],
    ['copied as a whole for lack of a key', 1_600, 'id int', 'locked_copy'],
  ])(
    'values that strict mode rejects survive when their table is %s',
    { timeout: 90_000 },
    async (_how, rows, key, strategy) => {
      const database = await makeLegacy(rows, key);
      const before = await read(database);
      const { row, plan } = await harness.deploy(database, 'ALTER TABLE legacy MODIFY n bigint');
      expect({
        state: row.state,
        error: row.error,
        strategies: plan.steps.map((step) => step.strategy),
      }).toEqual({ state: 'published', error: null, strategies: [strategy] });
      expect(await read(database)).toEqual(before);
    },
  );

  it.each([
    [
      'a date that becomes a DATETIME',
      'ALTER TABLE legacy MODIFY d datetime NOT NULL',
      'HEX(CONCAT(DATE(d))) AS d',
    ],
    [
      'a DATETIME with more digits',
      'ALTER TABLE legacy MODIFY dt datetime(3) NOT NULL',
      'HEX(LEFT(CONCAT(dt), 19)) AS d',
    ],
    [
      'an ENUM with another label in front',
      "ALTER TABLE legacy MODIFY e enum('w','x','y') NOT NULL",
      'HEX(e) AS d',
    ],
  ])('values that strict mode rejects survive in %s', { timeout: 60_000 }, async (_what, sql, column) => {
    const database = await makeLegacy(3, 'id int AUTO_INCREMENT PRIMARY KEY');
    const values = `SELECT id, ${column.replace('DATE(d)', 'LEFT(CONCAT(d), 10)')} FROM legacy ORDER BY id`;
    const before = await harness.check(database, values);
    const { row } = await harness.deploy(database, sql);
    expect(row).toMatchObject({ state: 'published', error: null });
    expect(await harness.check(database, values)).toEqual(before);
  });

  it(
    'the error for a change that does not fit stored values contains the column and the rows',
    { timeout: 60_000 },
    async () => {
      const database = await makeLegacy(3, 'id int AUTO_INCREMENT PRIMARY KEY');
      const { row } = await harness.deploy(
        database,
        'ALTER TABLE legacy MODIFY dt timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP',
      );
      expect(row).toMatchObject({
        state: 'failed',
        error: {
          code: 'schema.rows_in_the_way',
          extra: { problems: ['legacy.dt contains times outside the range of TIMESTAMP'] },
        },
      });
      // A TIMESTAMP accepts the zero date of the second row.
      expect(JSON.stringify(row.error)).toMatch(/"id":1\b/);
    },
  );

  it('the notes of a plan list numbers that would become booleans', { timeout: 60_000 }, async () => {
    const database = await harness.make(
      'CREATE TABLE t (id int PRIMARY KEY, stars tinyint, flag tinyint, points decimal(5,1), kept tinyint)',
    );
    await harness.platform.run(
      `UPDATE tenant_database SET settings = JSON_SET(settings, '$.number_columns', JSON_OBJECT('films', JSON_ARRAY('kept'))) WHERE id = ?`,
      [database.id],
    );
    await harness.withRoot(database, (root) =>
      root.run('INSERT INTO t VALUES (1, 5, 1, 0.6, 9), (2, 1, 0, 2.4, 9), (3, NULL, NULL, NULL, 9)'),
    );
    const { plan } = await harness.deploy(
      database,
      'ALTER TABLE t RENAME TO films; ALTER TABLE films CHANGE stars rating tinyint(1), MODIFY flag tinyint(1), MODIFY points tinyint(1), MODIFY kept tinyint(1)',
    );
    expect(plan.notes).toEqual(
      ['rating', 'points'].map(
        (name) =>
          expect.stringMatching(
            `^films\\.${name} becomes a boolean, but has numbers other than 0 and 1 \\(1 of`,
          ) as unknown,
      ),
    );
  });
});
