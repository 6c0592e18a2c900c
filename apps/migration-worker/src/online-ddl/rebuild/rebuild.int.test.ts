import type { AdminConnection } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWriters, type BusyWriters } from '../../testing/busy-writers.js';
import { WorkerHarness, type TestDb } from '../../testing/worker-harness.js';

/** The table has more rows than the limit up to which a table may be copied with writes blocked. */
const ROWS = 6_000;
const WRITERS = 4;

describe.each(getTestServers().engines)('an online rebuild on $engine', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
  });
  afterAll(() => harness.close());

  async function write(
    database: TestDb,
    act: (connection: AdminConnection, writer: number, iteration: number) => Promise<void>,
  ): Promise<BusyWriters> {
    const connections = await Promise.all(
      Array.from({ length: WRITERS }, () => harness.openAs(database.id, database.schemaName, 'rows')),
    );
    return startWriters(connections, act);
  }

  async function deployBusy(
    database: TestDb,
    sql: string,
    writers: BusyWriters,
  ): Promise<Awaited<ReturnType<WorkerHarness['deploy']>>> {
    await writers.reach(50);
    const deployed = await harness.deploy(database, sql);
    const report = await writers.stop();
    expect(report.faults).toEqual([]);
    return deployed;
  }

  it(
    'a rebuild preserves every row, generated columns and invisible columns under concurrent writes',
    { timeout: 120_000 },
    async () => {
      const database =
        await harness.make(`CREATE TABLE items (id int AUTO_INCREMENT PRIMARY KEY, code varchar(50) NOT NULL, n int NOT NULL DEFAULT 0, twice int GENERATED ALWAYS AS (n * 2) STORED,
      secret varchar(20) INVISIBLE DEFAULT 'dark', UNIQUE KEY by_code (code), CHECK (n >= 0));`);
      await harness.fill(
        database,
        'INSERT INTO items (code, n, secret)',
        `CONCAT('c', i), 0, CONCAT('s', i)`,
        ROWS,
      );
      await harness.withRoot(database, (root) => root.run('ALTER TABLE items AUTO_INCREMENT = 500000'));
      const inserted = new Set<string>();
      const deleted = new Set<string>();
      let added = 0;
      const writers = await write(database, async (connection, writer, iteration) => {
        const row = (iteration * WRITERS + writer) % ROWS;
        if (iteration % 4 === 0) {
          await connection.run('INSERT INTO items (code) VALUES (?)', [`w${writer}-${iteration}`]);
          inserted.add(`w${writer}-${iteration}`);
        } else if (iteration % 4 === 1) {
          await connection.run('DELETE FROM items WHERE code = ?', [`w${writer}-${iteration - 1}`]);
          deleted.add(`w${writer}-${iteration - 1}`);
        } else if (iteration % 4 === 2) {
          await connection.run('UPDATE items SET id = -id WHERE code = ? AND id > 0', [`c${row}`]);
        } else {
          const { affectedRows } = await connection.run('UPDATE items SET n = n + 1 WHERE code = ?', [
            `c${(iteration * 37) % ROWS}`,
          ]);
          added += affectedRows;
        }
      });
      const { row, plan } = await deployBusy(
        database,
        'ALTER TABLE items MODIFY code varchar(255) NOT NULL;',
        writers,
      );
      expect(row).toMatchObject({ state: 'published', error: null });
      expect(plan.steps.map((step) => step.strategy)).toEqual(['rebuild']);
      expect(await harness.listLeftovers(database)).toEqual([]);
      await harness.withRoot(database, async (root) => {
        const [sums] = await root.rows<Record<string, unknown>>(
          `SELECT COUNT(*) AS kept, SUM(n) AS n, SUM(twice) AS twice, SUM(secret = CONCAT('s', SUBSTRING(code, 2))) AS dark FROM items WHERE code LIKE 'c%'`,
        );
        expect({
          kept: Number(sums?.['kept']),
          n: Number(sums?.['n']),
          twice: Number(sums?.['twice']),
          dark: Number(sums?.['dark']),
        }).toEqual({ kept: ROWS, n: added, twice: 2 * added, dark: ROWS });
        const codes = (await root.rows<{ code: string }>(`SELECT code FROM items WHERE code LIKE 'w%'`)).map(
          (entry) => entry.code,
        );
        for (const code of inserted) if (!deleted.has(code)) expect(codes).toContain(code);
        for (const code of deleted) expect(codes).not.toContain(code);
        const { insertId } = await root.run(`INSERT INTO items (code) VALUES ('last')`);
        expect(insertId).toBeGreaterThanOrEqual(500_000);
        await expect(root.run(`INSERT INTO items (code, n) VALUES ('bad', -1)`)).rejects.toThrow(
          /constraint/i,
        );
      });
    },
  );

  it(
    'a rebuild preserves parent rows, child rows, self-references and triggers',
    { timeout: 120_000 },
    async () => {
      const database = await harness.make(`
      CREATE TABLE users (id int AUTO_INCREMENT PRIMARY KEY, name varchar(20));
      CREATE TABLE posts (id int AUTO_INCREMENT PRIMARY KEY, user_id int NOT NULL, parent_id int, title varchar(50), slug varchar(60), KEY by_user (user_id),
        FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE, CONSTRAINT above FOREIGN KEY (parent_id) REFERENCES posts (id) ON DELETE SET NULL);
      CREATE TABLE comments (id int AUTO_INCREMENT PRIMARY KEY, post_id int NOT NULL, FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE);
      CREATE TABLE pins (id int AUTO_INCREMENT PRIMARY KEY, post_id int, CONSTRAINT pinned FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE SET NULL);
      CREATE TABLE audit (id int AUTO_INCREMENT PRIMARY KEY, post_id int, what varchar(10));
      CREATE TRIGGER posts_slug BEFORE INSERT ON posts FOR EACH ROW SET NEW.slug = CONCAT('slug of ', NEW.title);
      CREATE TRIGGER posts_audit AFTER INSERT ON posts FOR EACH ROW INSERT INTO audit (post_id, what) VALUES (NEW.id, 'insert');`);
      const owner = `${database.schemaName}o`;
      await harness.fill(database, 'INSERT INTO users (name)', `CONCAT('u', i)`, 1_000);
      await harness.fill(
        database,
        'INSERT INTO posts (user_id, title)',
        `1 + i % 1000, CONCAT('t', i)`,
        ROWS,
      );
      await harness.withRoot(database, async (root) => {
        await root.run('UPDATE posts SET parent_id = id - 1 WHERE id % 3 = 0');
        await root.run('INSERT INTO comments (post_id) SELECT id FROM posts');
        await root.run('INSERT INTO pins (post_id) SELECT id FROM posts');
        // The trigger's definer is an account for direct connections, not one of the platform's accounts.
        await root.run(`CREATE USER '${owner}'@'%' IDENTIFIED BY '${owner}'`);
        await root.run(`GRANT ALL ON ${database.schemaName}.* TO '${owner}'@'%'`);
        for (const trigger of ['posts_slug', 'posts_audit']) await root.run(`DROP TRIGGER ${trigger}`);
        await root.run('DELETE FROM audit');
        await root.run(
          `CREATE DEFINER = '${owner}'@'%' TRIGGER posts_slug BEFORE INSERT ON posts FOR EACH ROW SET NEW.slug = CONCAT('slug of ', NEW.title)`,
        );
        await root.run(
          `CREATE DEFINER = '${owner}'@'%' TRIGGER posts_audit AFTER INSERT ON posts FOR EACH ROW INSERT INTO audit (post_id, what) VALUES (NEW.id, 'insert')`,
        );
      });
      const visible = await harness.withRoot(database, (root) =>
        root.rows<Record<string, string>>('SHOW CREATE TABLE comments'),
      );
      let posted = 0;
      const writers = await write(database, async (connection, writer, iteration) => {
        const removed = 1 + ((iteration * WRITERS + writer) % 900);
        if (iteration % 5 === 0) {
          await connection.run('DELETE FROM users WHERE id = ?', [removed]);
        } else if (iteration % 5 === 1) {
          await connection.run('DELETE FROM posts WHERE id = ?', [3_000 + removed]);
        } else {
          await connection.run('START TRANSACTION');
          const { insertId } = await connection.run('INSERT INTO posts (user_id, title) VALUES (1000, ?)', [
            `w${writer}-${iteration}`,
          ]);
          await connection.run('INSERT INTO comments (post_id) VALUES (?)', [insertId]);
          await connection.run('COMMIT');
          posted += 1;
        }
      });
      const { row, plan } = await deployBusy(
        database,
        'ALTER TABLE posts MODIFY title varchar(200);',
        writers,
      );
      expect(row).toMatchObject({ state: 'published', error: null });
      expect(plan.steps.map((step) => step.strategy)).toEqual(['rebuild']);
      expect(await harness.listLeftovers(database)).toEqual([]);
      await harness.withRoot(database, async (root) => {
        const count = async (sql: string): Promise<number> =>
          Number((await root.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${sql}`))[0]?.n);
        expect(
          await count("posts WHERE user_id = 1000 AND title LIKE 'w%' AND slug = CONCAT('slug of ', title)"),
        ).toBe(posted);
        expect(await count('audit')).toBe(posted);
        expect(await count('comments LEFT JOIN posts ON posts.id = post_id WHERE posts.id IS NULL')).toBe(0);
        expect(await count('posts LEFT JOIN users ON users.id = user_id WHERE users.id IS NULL')).toBe(0);
        expect(
          await count(
            'posts a LEFT JOIN posts b ON b.id = a.parent_id WHERE a.parent_id IS NOT NULL AND b.id IS NULL',
          ),
        ).toBe(0);
        expect(
          await count(
            'pins LEFT JOIN posts ON posts.id = post_id WHERE post_id IS NOT NULL AND posts.id IS NULL',
          ),
        ).toBe(0);
        expect(await count('pins')).toBe(ROWS);
        // No post has lost its comment.
        expect(
          await count('posts LEFT JOIN comments ON comments.post_id = posts.id WHERE comments.id IS NULL'),
        ).toBe(0);
        const after = await root.rows<Record<string, string>>('SHOW CREATE TABLE comments');
        const clean = (rows: readonly Record<string, string>[]): string =>
          (rows[0]?.['Create Table'] ?? '').replace(/ AUTO_INCREMENT=\d+/, '');
        expect(clean(after)).toBe(clean(visible));
        await expect(root.run('INSERT INTO comments (post_id) VALUES (99999999)')).rejects.toThrow(
          /foreign key/,
        );
        const triggers = await root.rows<{ name: string; definer: string }>(
          'SELECT TRIGGER_NAME AS name, DEFINER AS definer FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ? ORDER BY 1',
          [database.schemaName],
        );
        expect(triggers.map((trigger) => trigger.name)).toEqual(['posts_audit', 'posts_slug']);
        expect(triggers[0]?.definer).toBe(`${owner}@%`);
        await root.run(`DROP USER '${owner}'@'%'`);
      });
    },
  );

  it('a rebuild widens a key together with all columns that reference it', { timeout: 120_000 }, async () => {
    const database = await harness.make(`
      CREATE TABLE nodes (id int AUTO_INCREMENT PRIMARY KEY, parent_id int, name varchar(20), FOREIGN KEY (parent_id) REFERENCES nodes (id) ON DELETE CASCADE);
      CREATE TABLE leaves (id int AUTO_INCREMENT PRIMARY KEY, node_id int NOT NULL, CONSTRAINT hangs FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE CASCADE);
      CREATE TABLE notes (id int AUTO_INCREMENT PRIMARY KEY, node_id int, CONSTRAINT about FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE SET NULL);
      CREATE TABLE audit (id int AUTO_INCREMENT PRIMARY KEY, node_id int);
      CREATE TRIGGER nodes_audit AFTER INSERT ON nodes FOR EACH ROW INSERT INTO audit (node_id) VALUES (NEW.id);`);
    await harness.fill(database, 'INSERT INTO nodes (name)', `CONCAT('n', i)`, 3_000);
    await harness.withRoot(database, async (root) => {
      await root.run('UPDATE nodes SET parent_id = id - 1 WHERE id % 3 <> 1');
      await root.run('INSERT INTO leaves (node_id) SELECT id FROM nodes');
      await root.run('INSERT INTO notes (node_id) SELECT id FROM nodes');
      await root.run('DELETE FROM audit');
    });
    let grown = 0;
    const writers = await write(database, async (connection, writer, iteration) => {
      if (iteration % 3 === 0) {
        // Deletes the first row of a chain of three rows. Cascades delete the others.
        await connection.run('DELETE FROM nodes WHERE id = ?', [
          1 + 3 * ((iteration * WRITERS + writer) % 900),
        ]);
        return;
      }
      await connection.run('START TRANSACTION');
      const { insertId } = await connection.run('INSERT INTO nodes (name) VALUES (?)', [
        `w${writer}-${iteration}`,
      ]);
      await connection.run('INSERT INTO nodes (name, parent_id) VALUES (?, ?)', [
        `w${writer}-${iteration}b`,
        insertId,
      ]);
      await connection.run('INSERT INTO leaves (node_id) VALUES (?)', [insertId]);
      await connection.run('COMMIT');
      grown += 1;
    });
    const { row, plan } = await deployBusy(
      database,
      `
      ALTER TABLE leaves DROP FOREIGN KEY hangs; ALTER TABLE notes DROP FOREIGN KEY about; ALTER TABLE nodes DROP FOREIGN KEY nodes_ibfk_1;
      ALTER TABLE nodes MODIFY id bigint AUTO_INCREMENT, MODIFY parent_id bigint; ALTER TABLE leaves MODIFY node_id bigint NOT NULL; ALTER TABLE notes MODIFY node_id bigint;
      ALTER TABLE nodes ADD CONSTRAINT nodes_ibfk_1 FOREIGN KEY (parent_id) REFERENCES nodes (id) ON DELETE CASCADE;
      ALTER TABLE leaves ADD CONSTRAINT hangs FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE CASCADE;
      ALTER TABLE notes ADD CONSTRAINT about FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE SET NULL;`,
      writers,
    );
    expect(row).toMatchObject({ state: 'published', error: null });
    expect(plan.steps.map((step) => step.strategy)).toEqual(['rebuild_family']);
    expect(await harness.listLeftovers(database)).toEqual([]);
    await harness.withRoot(database, async (root) => {
      const count = async (sql: string): Promise<number> =>
        Number((await root.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${sql}`))[0]?.n);
      expect(await count(`nodes WHERE name LIKE 'w%'`)).toBe(2 * grown);
      expect(await count('audit')).toBe(2 * grown);
      expect(await count('leaves LEFT JOIN nodes ON nodes.id = node_id WHERE nodes.id IS NULL')).toBe(0);
      expect(
        await count(
          'notes LEFT JOIN nodes ON nodes.id = node_id WHERE node_id IS NOT NULL AND nodes.id IS NULL',
        ),
      ).toBe(0);
      expect(
        await count(
          'nodes a LEFT JOIN nodes b ON b.id = a.parent_id WHERE a.parent_id IS NOT NULL AND b.id IS NULL',
        ),
      ).toBe(0);
      // Each chain of three nodes is either complete or completely deleted, and each remaining node still has
      // its leaf.
      expect(
        await count(
          `(SELECT (id - 1) DIV 3 AS three, COUNT(*) AS left_over FROM nodes WHERE name LIKE 'n%' GROUP BY three HAVING left_over <> 3) halves`,
        ),
      ).toBe(0);
      expect(
        await count(
          `nodes LEFT JOIN leaves ON leaves.node_id = nodes.id WHERE nodes.name LIKE 'n%' AND leaves.id IS NULL`,
        ),
      ).toBe(0);
      expect(await count('notes')).toBe(3_000);
    });
  });

  it(
    'a rebuild that fails because a row does not fit leaves nothing behind',
    { timeout: 120_000 },
    async () => {
      const database = await harness.make(
        'CREATE TABLE facts (id int AUTO_INCREMENT PRIMARY KEY, amount varchar(20));',
      );
      await harness.fill(database, 'INSERT INTO facts (amount)', `IF(i = 5500, 'much', i)`, ROWS);
      const { row } = await harness.deploy(database, 'ALTER TABLE facts MODIFY amount int;');
      expect(row).toMatchObject({ state: 'failed', error: { code: 'schema.rows_in_the_way' } });
      expect(await harness.listLeftovers(database)).toEqual([]);
      await harness.withRoot(database, async (root) =>
        expect(await root.rows("SELECT amount FROM facts WHERE amount = 'much'")).toEqual([
          { amount: 'much' },
        ]),
      );
    },
  );
});
