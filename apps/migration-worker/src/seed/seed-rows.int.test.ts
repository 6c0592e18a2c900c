import { readFile } from 'node:fs/promises';
import { COLUMN_TYPES } from '@rowhouse/schema-model/testing';
import type { SeedPayload, SeedResult } from '@rowhouse/contracts';
import { openAdminConnection, SESSIONS } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLOG_SQL } from '../testing/blog-schema.js';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

/**
 * The schema has cycles, self-references, unique foreign keys, checks with conditions, and a table that
 * rejects all rows.
 */
const KNOTS = `
CREATE TABLE departments (id int AUTO_INCREMENT PRIMARY KEY, name varchar(40) NOT NULL UNIQUE, head_id int NULL);
CREATE TABLE employees (id int AUTO_INCREMENT PRIMARY KEY, department_id int NOT NULL, boss_id int NULL, email varchar(80) NOT NULL UNIQUE, salary decimal(9,2) NOT NULL, hired date NOT NULL, fired date NULL,
  CONSTRAINT pay CHECK (salary BETWEEN 30000 AND 31000), CONSTRAINT order_of_days CHECK (fired IS NULL OR fired > hired), FOREIGN KEY (department_id) REFERENCES departments (id), FOREIGN KEY (boss_id) REFERENCES employees (id));
ALTER TABLE departments ADD FOREIGN KEY (head_id) REFERENCES employees (id);
CREATE TABLE badges (employee_id int PRIMARY KEY, code char(6) NOT NULL UNIQUE, color varchar(10) NOT NULL, CONSTRAINT known CHECK (color IN ('red', 'it''s')), FOREIGN KEY (employee_id) REFERENCES employees (id));
CREATE TABLE steps (id int PRIMARY KEY, next_id int NOT NULL, FOREIGN KEY (next_id) REFERENCES steps (id));
CREATE TABLE hard_a (id int PRIMARY KEY, b_id int NOT NULL);
CREATE TABLE hard_b (id int PRIMARY KEY, a_id int NOT NULL, FOREIGN KEY (a_id) REFERENCES hard_a (id));
ALTER TABLE hard_a ADD FOREIGN KEY (b_id) REFERENCES hard_b (id);
CREATE TABLE flags (flag boolean NOT NULL UNIQUE);
CREATE TABLE puzzles (id int AUTO_INCREMENT PRIMARY KEY, n int NOT NULL, CONSTRAINT riddle CHECK (CRC32(n) = 1));
CREATE TABLE guarded (id int AUTO_INCREMENT PRIMARY KEY, n int);
CREATE TRIGGER refuse BEFORE INSERT ON guarded FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not today';
CREATE VIEW people AS SELECT id, email FROM employees;
`;

describe.each(getTestServers().engines)('sample rows on $engine', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.start(mysql);
  }, 120_000);
  afterAll(() => harness.close());

  const seed = (database: TestDb, more: Partial<SeedPayload> = {}): Promise<SeedResult> =>
    harness.runTask('seed_rows', {
      database_id: database.id,
      tables: null,
      rows: 20,
      seed: 'one',
      into_full: false,
      ...more,
    });
  const reasons = ({ tables }: SeedResult): Record<string, [number, string | null]> =>
    Object.fromEntries(tables.map((table) => [table.name, [table.rows, table.reason]]));

  it.each(['blog', 'shop'] as const)('the starter schema %s inserts its own rows only once', async (name) => {
    const starters = new URL('../../../control-plane/src/starters/', import.meta.url);
    const read = (file: string): Promise<string> => readFile(new URL(file, starters), 'utf8');
    const statements = (await read(`${name}-rows.sql`)).split(/;\n/).filter((sql) => sql.includes('INSERT'));
    const database = await harness.make(await read(`${name}.sql`));
    const first = await seed(database, { statements });
    expect(first.tables.every(({ rows, reason }) => rows >= 3 && reason === null)).toBe(true);
    const second = await seed(database, { statements });
    expect([second.rows, second.tables[0]?.reason]).toEqual([0, 'the database already has rows']);
    const other = await harness.make('CREATE TABLE notes (id INT PRIMARY KEY)');
    await expect(seed(other, { statements })).rejects.toMatchObject({ code: 'transfer.not_possible' });
  });

  it(
    'sample rows fill the example schema in the order of foreign keys, and equally for the same seed',
    { timeout: 120_000 },
    async () => {
      const [database, duplicate] = [await harness.make(BLOG_SQL), await harness.make(BLOG_SQL)];
      const done = await seed(database);
      expect(reasons(done)).toEqual(
        Object.fromEntries(
          ['comments', 'post_tags', 'posts', 'tags', 'users'].map((name) => [name, [20, null]]),
        ),
      );
      await seed(duplicate);
      for (const sql of [
        'SELECT * FROM users',
        'SELECT * FROM posts',
        'SELECT * FROM comments',
        'SELECT * FROM post_tags',
      ])
        expect(await harness.check(duplicate, sql)).toEqual(await harness.check(database, sql));
      const [dates] = await harness.check<Record<string, number>>(
        database,
        'SELECT COUNT(DISTINCT DATE(created_at)) AS days, DATEDIFF(MAX(created_at), MIN(created_at)) AS apart, SUM(created_at > NOW()) AS ahead, SUM(created_at IS NULL) AS none FROM posts',
      );
      expect(Number(dates?.['days'])).toBeGreaterThan(12);
      expect(Number(dates?.['apart'])).toBeGreaterThan(250);
      expect(Number(dates?.['ahead'] ?? 0)).toBe(0);
      const users = await harness.check<{ email: string; username: string }>(
        database,
        'SELECT email, username FROM users',
      );
      for (const { email } of users) expect(email).toMatch(/^[a-z.0-9]+@example\.(com|org|net)$/);

      expect(reasons(await seed(database))).toMatchObject({ users: [0, 'it already has rows'] });
      const more = await seed(database, { into_full: true, tables: ['users', 'post-tags'] });
      expect(reasons(more)).toMatchObject({ users: [20, null] });
      expect(await harness.check(database, 'SELECT COUNT(*) AS n, MAX(id) AS id FROM users')).toEqual([
        { n: 40, id: 40 },
      ]);
      await expect(seed(database, { tables: ['user'] })).rejects.toMatchObject({
        code: 'table.not_found',
        hint: 'Did you mean users?',
      });
      await expect(seed(duplicate, { into_full: true, rows: 9_000 })).rejects.toMatchObject({
        code: 'limit.bulk_rows',
      });
    },
  );

  it(
    'sample rows respect cycles, self-references and checks, and rejected rows are reported',
    { timeout: 120_000 },
    async () => {
      const database = await harness.make(KNOTS);
      const done = reasons(await seed(database));
      expect(done).toMatchObject({
        departments: [20, null],
        employees: [20, null],
        badges: [20, null],
        steps: [20, null],
        hard_a: [0, expect.stringContaining('cycle')],
        hard_b: [0, expect.stringContaining('cycle')],
        flags: [2, expect.stringContaining('unique')],
        puzzles: [0, expect.stringContaining('riddle')],
        guarded: [0, expect.stringContaining('not today')],
      });
      expect(Object.keys(done)).not.toContain('people');
      const [held] = await harness.check<Record<string, number>>(
        database,
        `SELECT
      (SELECT COUNT(*) FROM departments WHERE head_id IS NOT NULL) AS heads, (SELECT COUNT(*) FROM employees WHERE boss_id IS NOT NULL) AS bosses, (SELECT COUNT(*) FROM steps WHERE next_id <> id) AS steps, (SELECT COUNT(DISTINCT color) FROM badges) AS colors`,
      );
      for (const name of ['heads', 'bosses', 'steps', 'colors'])
        expect([name, Number(held?.[name])]).toEqual([name, expect.toSatisfy((n: number) => n > 1)]);
      const alone = await harness.make(KNOTS);
      expect(reasons(await seed(alone, { tables: ['badges'] }))).toEqual({
        badges: [0, 'it needs rows in employees, which is empty'],
      });
    },
  );

  it(
    'a second task for sample rows waits for the first and then finds the tables filled',
    { timeout: 120_000 },
    async () => {
      const database = await harness.make(
        'CREATE TABLE notes (id int AUTO_INCREMENT PRIMARY KEY, text varchar(40));',
      );
      const other = await openAdminConnection(mysql);
      try {
        // Simulates another worker that has just begun its transaction.
        await other.run('START TRANSACTION');
        await other.run(
          `INSERT INTO ${database.schemaName}s.idempotency (lineage_id, idempotency_key, fingerprint, created_at) VALUES ('seed_rows', 'seed_rows', REPEAT('a', 32), UTC_TIMESTAMP(3))`,
        );
        const seeding = seed(database);
        await expect
          .poll(
            async () =>
              (
                await other.rows(
                  `SELECT 1 FROM ${SESSIONS} WHERE INFO LIKE 'INSERT INTO%idempotency%' AND ID <> CONNECTION_ID()`,
                )
              ).length,
            { timeout: 30_000 },
          )
          .toBe(1);
        await other.run(`INSERT INTO ${database.schemaName}.notes (text) VALUES ('first')`);
        await other.run('COMMIT');
        expect(reasons(await seeding)).toEqual({ notes: [0, 'it already has rows'] });
      } finally {
        await other.close();
      }
    },
  );

  it(
    'sample rows of every type are written in full, or not at all if the worker dies',
    { timeout: 180_000 },
    async () => {
      const types = COLUMN_TYPES[mysql.engine];
      const columns = (suffix: string): string =>
        types.map((type, index) => `c${index} ${type} ${suffix}`).join(', ');
      const database = await harness.make(
        `CREATE TABLE every_type (id bigint AUTO_INCREMENT PRIMARY KEY, ${columns('NULL')}); CREATE TABLE strict_type (id int PRIMARY KEY, ${columns('NOT NULL')});`,
      );
      await harness.stopWorkers();
      const worker = await harness.startWorker({ FAIL_POINTS: 'seed-before-commit' });
      const task = await harness.insertTask('seed_rows', {
        database_id: database.id,
        tables: null,
        rows: 30,
        seed: 'two',
        into_full: false,
      });
      expect(await worker.exited).toBe('SIGKILL');
      await harness.expireLeases();
      await harness.startWorker();
      expect(reasons(await harness.waitTask<'seed_rows'>(task))).toEqual({
        every_type: [30, null],
        strict_type: [30, null],
      });
      const [filled] = await harness.check<Record<string, number>>(
        database,
        `SELECT ${types.map((_, index) => `COUNT(c${index}) AS c${index}`).join(', ')} FROM every_type`,
      );
      for (const [index, type] of types.entries())
        expect([type, Number(filled?.[`c${index}`])]).toEqual([
          type,
          expect.toSatisfy((n: number) => n > 10),
        ]);
    },
  );
});
