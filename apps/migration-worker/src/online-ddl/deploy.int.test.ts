import { setTimeout as pause } from 'node:timers/promises';
import type { TableRights } from '@rowhouse/contracts';
import { hashReadRights, hashWriteRights, toWriteRights } from '@rowhouse/credentials';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLOG_SQL } from '../testing/blog-schema.js';
import { WorkerHarness } from '../testing/worker-harness.js';
import { SESSIONS } from '@rowhouse/mysql';

describe.each(getTestServers().engines)('on $engine', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
  });
  afterAll(() => harness.close());

  async function makeBlog(): Promise<{ id: string; schemaName: string; projectId: string }> {
    const database = await harness.provision();
    expect((await harness.deploy(database, BLOG_SQL)).row).toMatchObject({ state: 'published', error: null });
    return database;
  }

  async function run(database: { id: string; schemaName: string }, kind: string, sql: string): Promise<void> {
    const connection = await harness.openAs(database.id, database.schemaName, kind);
    try {
      await connection.run(sql);
    } finally {
      await connection.close();
    }
  }

  /** Returns the number of statements with this beginning that the server has received for the database. */
  async function countSent(database: { schemaName: string }, beginning: string): Promise<number> {
    const root = await harness.openRoot(database.schemaName);
    const [words, table] = [beginning.split(' ').slice(0, 2).join(' '), beginning.split(' ')[2]];
    const [sent] = await root.rows<{ n: number }>(
      'SELECT COALESCE(SUM(COUNT_STAR), 0) AS n FROM performance_schema.events_statements_summary_by_digest WHERE SCHEMA_NAME = ? AND DIGEST_TEXT LIKE ?',
      [database.schemaName, `${words} \`${table}\`%`],
    );
    await root.close();
    return Number(sent?.n);
  }

  describe('an invalid schema text', () => {
    const UNINDEXED =
      'CREATE TABLE p (id int PRIMARY KEY, b int NOT NULL); CREATE TABLE c (r int, CONSTRAINT f FOREIGN KEY (r) REFERENCES p (id)); ALTER TABLE p DROP PRIMARY KEY, ADD PRIMARY KEY (b);';
    const plan = async (sql: string) =>
      harness.runTask('plan_schema', {
        project_id: 'prj_none',
        base: null,
        mode: 'replace',
        sql,
        target_database_ids: [],
      });

    it.each([
      [
        'CREATE TABLE a (id int);\n\nCREATE TABLE b (\n  id int,\n  nope int int\n);',
        'schema.invalid_sql',
        /^Line 5: /,
      ],
      [
        'CREATE TABLE a (id int, FOREIGN KEY (id) REFERENCES missing (id));',
        'schema.invalid_sql',
        /^Line 1: /,
      ],
      ['CREATE TABLE a (id int); CREATE TABLE a (id int);', 'schema.invalid_sql', /already exists/],
      [
        'CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (a int, FOREIGN KEY (a) REFERENCES a (id)); ALTER TABLE a MODIFY id bigint;',
        'schema.invalid_sql',
        /foreign key[^]*new type in both tables/,
      ],
      ['CREATE TABLE a (id int) ENGINE=MyISAM;', 'schema.statement_not_allowed', /./],
      ['CREATE TABLE mysql.a (id int);', 'schema.invalid_sql', /must not contain a database/],
      ['GRANT ALL ON *.* TO someone;', 'schema.statement_not_allowed', /./],
      [
        'CREATE TABLE a (id int); CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW INSERT INTO mysql.b VALUES (1);',
        'schema.invalid_sql',
        /must not contain a database/,
      ],
      [
        'CREATE TABLE a (id int); CREATE VIEW v AS SELECT id FROM a; ALTER TABLE a RENAME COLUMN id TO no;',
        'schema.broken_object',
        /view v/,
      ],
      // In this case, MySQL itself rejects the statement.
      [
        UNINDEXED,
        mysql.engine === 'mariadb' ? 'schema.broken_object' : 'schema.invalid_sql',
        mysql.engine === 'mariadb' ? /foreign key f of c references p \(id\)/ : /needed in a foreign key/,
      ],
    ])('a deploy rejects the schema text %s', async (sql, code, detail) => {
      const error = await plan(sql).catch(
        (error: unknown) => error as { code: string; detail: string; extra?: { statement?: string } },
      );
      expect(error).toMatchObject({ code, detail: expect.stringMatching(detail) as unknown });
      // The names of the scratch schema and its account are internal, so the error must not contain them.
      expect(JSON.stringify(error)).not.toMatch(/x[a-z2-7]{20}/);
    });

    it('an invalid schema text leaves no scratch database behind', async () => {
      await plan('CREATE TABLE a (id int)').then(() => plan('nonsense').catch(() => undefined));
      const root = await harness.openRoot();
      const sessions = await root.rows<{ USER: string }>(`SELECT USER FROM ${SESSIONS}`);
      const schemas = await root.rows<{ SCHEMA_NAME: string }>(
        `SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME REGEXP '^x[a-z2-7]{20}$'`,
      );
      await root.close();
      expect(schemas.filter((row) => !sessions.some((session) => session.USER === row.SCHEMA_NAME))).toEqual(
        [],
      );
    });

    it('a dump with tables in the wrong order is accepted', async () => {
      const foreign = harness.mysql.engine === 'mariadb' ? 'utf8mb4_0900_ai_ci' : 'utf8mb4_uca1400_ai_ci';
      const sql = `SET FOREIGN_KEY_CHECKS=0;\nCREATE TABLE child (id int, KEY (id), FOREIGN KEY (id) REFERENCES parent (id));\nCREATE TABLE parent (id int PRIMARY KEY, name varchar(10)) DEFAULT CHARSET=utf8mb4 COLLATE=${foreign};\n`;
      const { draft, notes } = await plan(sql);
      expect(draft.tables.map((table) => table.name)).toEqual(['child', 'parent']);
      expect(notes.join('\n')).toMatch(
        new RegExp(`Line 1:[^]*Line 3: the server does not support the collation ${foreign}`),
      );
      expect(draft.tables[1]?.collation).toBe(
        harness.mysql.engine === 'mariadb' ? 'utf8mb4_unicode_ci' : 'utf8mb4_0900_ai_ci',
      );
    });

    it('tables that reference each other in a cycle are accepted', async () => {
      const sql =
        'CREATE TABLE a (id int PRIMARY KEY, b int, FOREIGN KEY (b) REFERENCES b (id)); CREATE TABLE b (id int PRIMARY KEY, a int, FOREIGN KEY (a) REFERENCES a (id));';
      const database = await harness.provision();
      expect((await harness.deploy(database, sql)).row).toMatchObject({ state: 'published', error: null });
    });
  });

  describe('triggers and routines in schema text', () => {
    const COUNTED = `CREATE TABLE words (id int PRIMARY KEY, word varchar(40), length int, twice int);
      CREATE FUNCTION size_of(word varchar(40)) RETURNS int DETERMINISTIC BEGIN DECLARE n int; SET n = CHAR_LENGTH(word); RETURN n; END;
      CREATE TRIGGER count_word BEFORE INSERT ON words FOR EACH ROW BEGIN SET NEW.length = size_of(NEW.word); SET NEW.twice = 2 * NEW.length; END;
      CREATE PROCEDURE forget() DELETE FROM words;
      CREATE VIEW sizes AS SELECT id, size_of(word) AS size FROM words;`;

    async function insert(database: { id: string; schemaName: string }, id: number): Promise<unknown> {
      const rows = await harness.openAs(database.id, database.schemaName, 'rows');
      try {
        await rows.run(`INSERT INTO words (id, word) VALUES (${id}, 'four')`);
        return (await rows.rows(`SELECT length, twice FROM words WHERE id = ${id}`))[0];
      } finally {
        await rows.close();
      }
    }

    it('triggers and routines are deployed, replaced and dropped', async () => {
      const database = await harness.provision();
      expect((await harness.deploy(database, COUNTED)).row).toMatchObject({
        state: 'published',
        error: null,
      });
      expect(await insert(database, 1)).toEqual({ length: 4, twice: 8 });
      const { snapshot } = await harness.readSnapshot(database.id);
      expect(snapshot.routines?.map((routine) => [routine.kind, routine.name])).toEqual([
        ['function', 'size_of'],
        ['procedure', 'forget'],
      ]);
      expect(JSON.stringify(snapshot)).not.toContain('DEFINER=');

      const changed = await harness.deploy(
        database,
        `DROP TRIGGER count_word; DROP PROCEDURE forget; ALTER TABLE words ADD COLUMN thrice int;
        CREATE TRIGGER count_word BEFORE INSERT ON words FOR EACH ROW BEGIN SET NEW.length = size_of(NEW.word); SET NEW.thrice = 3 * NEW.length; END;`,
      );
      expect(changed.row).toMatchObject({ state: 'published', error: null });
      expect(changed.plan.steps.map((step) => [step.kind, step.strategy])).toEqual([
        ['alter_table', 'instant'],
        ['create_trigger', mysql.engine === 'mysql' ? 'replace' : 'create'],
        ['drop_routine', 'drop'],
      ]);
      expect(await insert(database, 2)).toEqual({ length: 4, twice: null });

      expect(
        (await harness.deploy(database, 'DROP TRIGGER count_word; ALTER TABLE words DROP COLUMN thrice;'))
          .row,
      ).toMatchObject({ state: 'published', error: null });
      expect(await insert(database, 3)).toEqual({ length: null, twice: null });
    });

    it('triggers and routines prevent a drop or rename of the objects that they use', async () => {
      const database = await harness.provision();
      await harness.deploy(database, COUNTED);
      const failure = async (sql: string) =>
        harness.deploy(database, sql).catch((error: unknown) => error as { code: string; detail: string });
      expect(await failure('ALTER TABLE words DROP COLUMN length')).toMatchObject({
        code: 'schema.broken_object',
        detail: expect.stringContaining('The trigger count_word uses words.length') as unknown,
      });
      expect(await failure('RENAME TABLE words TO terms; DROP VIEW sizes;')).toMatchObject({
        code: 'schema.broken_object',
        detail: expect.stringContaining('The procedure forget uses words') as unknown,
      });
      const both =
        'ALTER TABLE words RENAME COLUMN word TO term; CREATE OR REPLACE VIEW sizes AS SELECT id, size_of(term) AS size FROM words; DROP TRIGGER count_word;';
      expect(await failure(both)).toMatchObject({
        code: 'schema.broken_object',
        detail: expect.stringContaining('The view sizes uses words.word') as unknown,
      });
    });
  });

  describe('a deploy', () => {
    it('every class of change runs with the cheapest algorithm that the server accepts', async () => {
      const database = await makeBlog();
      await run(
        database,
        'rows',
        `INSERT INTO users (username, email, bio) VALUES ('ada', 'ada@example.org', 'x')`,
      );
      const { row, plan } = await harness.deploy(
        database,
        `
        ALTER TABLE users ADD COLUMN nick varchar(40), ADD COLUMN country char(2) NOT NULL, ADD INDEX by_nick (nick), DROP COLUMN bio;
        ALTER TABLE tags MODIFY name varchar(80) NOT NULL, ADD CONSTRAINT short CHECK (CHAR_LENGTH(name) > 1);
        ALTER TABLE posts CHANGE title headline varchar(255) NOT NULL;
        CREATE VIEW published_posts AS SELECT id, headline FROM posts WHERE published;
        DROP TABLE comments;
        ALTER TABLE posts ADD COLUMN editor_id int, ADD CONSTRAINT edited FOREIGN KEY (editor_id) REFERENCES users (id);
      `,
      );
      expect(row).toMatchObject({ state: 'published', error: null });
      // Only MariaDB supports the algorithm NOCOPY.
      const built = mysql.engine === 'mariadb' ? 'nocopy' : 'inplace';
      expect(plan.steps.map((step) => [step.table, step.class, step.strategy])).toEqual([
        ['posts', 'rename', 'rename'],
        ['posts', 'widen', 'instant'],
        ['users', 'widen', 'instant'],
        ['users', 'add_required', 'instant'],
        ['posts', 'widen', built],
        ['users', 'widen', built],
        ['published_posts', 'widen', 'create'],
        ['tags', 'tighten', 'copy_small'],
        ['posts', 'tighten', 'add_foreign_key'],
        ['tags', 'tighten', 'copy_small'],
        ['users', 'drop', 'keep_columns'],
        ['comments', 'drop', 'drop'],
      ]);
      expect(plan.loss).toEqual(['column users.bio with its values']);
      expect(plan.impact.added).toContain('GET /published-posts');
      const { snapshot } = await harness.readSnapshot(database.id);
      expect(
        snapshot.tables
          .find((table) => table.name === 'users')
          ?.columns.map((column) => [column.name, column.default.kind]),
      ).toContainEqual(['country', 'none']);
      expect(
        snapshot.tables.find((table) => table.name === 'posts')?.columns.map((column) => column.name),
      ).toContain('headline');
      const rows = await harness.openAs(database.id, database.schemaName, 'rows');
      expect(await rows.rows('SELECT username, country FROM users')).toEqual([
        { username: 'ada', country: '' },
      ]);
      await rows.close();
    });

    it('a drop waits for every live gateway, but not for a gateway with an expired lease', async () => {
      const database = await makeBlog();
      const lease = (id: string, seq: number, seconds: number) =>
        harness.platform.run(
          `INSERT INTO gateway_lease (cell_id, gateway_id, epoch, applied_through_seq, exceptions, renewed_at, expires_at)
           VALUES (?, ?, 1, ?, '[]', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL ? SECOND)`,
          [harness.cellId, id, seq, seconds],
        );
      await lease('gw_slow', 0, 600);
      await lease('gw_dead', 0, -1);
      const { ids } = await harness.queueDeploy(
        database.projectId,
        [database.id],
        'ALTER TABLE users DROP COLUMN bio',
      );
      const id = ids[0] as string;
      const { snapshot } = await harness.poll(async () => {
        const read = await harness.readSnapshot(database.id);
        return read.number === 3 ? read : null;
      });
      expect(
        snapshot.tables.find((table) => table.name === 'users')?.columns.map((column) => column.name),
      ).not.toContain('bio');
      await run(database, 'rows', 'SELECT bio FROM users');
      await harness.platform.run(
        'UPDATE gateway_lease SET applied_through_seq = 999999, exceptions = ? WHERE cell_id = ? AND gateway_id = ?',
        [JSON.stringify([database.id]), harness.cellId, 'gw_slow'],
      );
      await pause(200);
      expect((await harness.readMigration(id)).state).toBe('publishing');
      await harness.platform.run(`UPDATE gateway_lease SET exceptions = '[]' WHERE cell_id = ?`, [
        harness.cellId,
      ]);
      expect(await harness.waitMigration(id)).toMatchObject({ state: 'published', error: null });
      await expect(run(database, 'rows', 'SELECT bio FROM users')).rejects.toThrow(/Unknown column/);
      await harness.platform.run('DELETE FROM gateway_lease WHERE cell_id = ?', [harness.cellId]);
    });

    it('a stricter column type that existing rows violate is rejected with these rows', async () => {
      const database = await makeBlog();
      await run(database, 'rows', `INSERT INTO users (username, email) VALUES ('ada', 'ada@example.org')`);
      await run(database, 'rows', `INSERT INTO tags (name) VALUES ('x')`);
      const { row } = await harness.deploy(
        database,
        'ALTER TABLE users MODIFY bio text NOT NULL; ALTER TABLE tags ADD COLUMN owner_id int NOT NULL, ADD FOREIGN KEY (owner_id) REFERENCES users (id);',
      );
      expect(row).toMatchObject({ state: 'failed', error: { code: 'schema.rows_in_the_way' } });
      expect(row.error?.detail).toMatch(/users.bio contains NULL/);
      const { snapshot } = await harness.readSnapshot(database.id);
      expect(
        snapshot.tables
          .find((table) => table.name === 'users')
          ?.columns.find((column) => column.name === 'bio')?.nullable,
      ).toBe(true);
    });

    it('a new migration ends the pause that an interrupted migration left', async () => {
      const database = await makeBlog();
      await run(database, 'rows', `INSERT INTO users (username, email) VALUES ('ada', 'ada@example.org')`);
      for (const [sql, state] of [
        ['ALTER TABLE users ADD COLUMN age int', 'published'],
        ['ALTER TABLE users MODIFY bio text NOT NULL', 'failed'],
      ] as const) {
        await harness.platform.run(
          'UPDATE tenant_database SET names_changing = 1, requests_paused_until = UTC_TIMESTAMP(3) WHERE id = ?',
          [database.id],
        );
        expect((await harness.deploy(database, sql)).row.state).toBe(state);
        const found = await harness.platform.rows(
          'SELECT names_changing, requests_paused_until FROM tenant_database WHERE id = ?',
          [database.id],
        );
        expect(found).toEqual([{ names_changing: 0, requests_paused_until: null }]);
      }
    });

    it('a migration is reverted when offending rows appear after publishing', async () => {
      const database = await makeBlog();
      await run(database, 'rows', `INSERT INTO tags (name) VALUES ('x')`);
      // The new required column gets the value 0 in the existing row. A query can show this only once the
      // column exists.
      const { row } = await harness.deploy(
        database,
        'ALTER TABLE tags ADD COLUMN owner_id int NOT NULL, ADD FOREIGN KEY (owner_id) REFERENCES users (id);',
      );
      expect(row).toMatchObject({ state: 'failed', error: { code: 'schema.rows_in_the_way' } });
      const { snapshot } = await harness.readSnapshot(database.id);
      expect(snapshot.tables.find((table) => table.name === 'tags')?.foreignKeys).toEqual([]);
      const root = await harness.openRoot(database.schemaName);
      const [visible] = await root.rows<Record<string, string>>('SHOW CREATE TABLE tags');
      await root.close();
      expect(visible?.['Create Table']).not.toMatch(/FOREIGN KEY/);
    });

    it('a large table that the server could only copy is planned as an online rebuild', async () => {
      const database = await makeBlog();
      await run(
        database,
        'rows',
        `INSERT INTO tags (name) SELECT CONCAT('tag', seq) FROM seq_1_to_6000`,
      ).catch(async () => {
        await run(
          database,
          'rows',
          `INSERT INTO tags (name) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT CONCAT(a.i, '-', b.i) FROM n a JOIN n b ON b.i <= 7`,
        );
      });
      const { plans } = await harness.queueDeploy(
        database.projectId,
        [database.id],
        'ALTER TABLE tags MODIFY description int',
      );
      expect(plans[0]?.needsRebuild).toEqual([]);
      expect(plans[0]?.steps).toMatchObject([
        { table: 'tags', strategy: 'rebuild', details: { table: 'tags', key: ['id'] } },
      ]);
      expect(plans[0]?.steps[0]?.rowsToRewrite).toBeGreaterThanOrEqual(1_500);
    });

    it.each([
      ['an ALTER of it', 'ALTER TABLE users ADD COLUMN nick varchar(40)'],
      // MariaDB takes no lock on the table that the foreign key references.
      ...(mysql.engine === 'mysql'
        ? [
            [
              'a table that refers to it',
              'CREATE TABLE likes (id int PRIMARY KEY, user_id int, CONSTRAINT likes_user FOREIGN KEY (user_id) REFERENCES users (id))',
            ],
          ]
        : []),
    ] as [string, string][])(
      'requests succeed while a deploy waits for a locked table: %s',
      async (_what, change) => {
        const database = await makeBlog();
        const holder = await harness.openAs(database.id, database.schemaName, 'rows');
        await holder.run('START TRANSACTION');
        await holder.rows('SELECT * FROM users');
        const { ids } = await harness.queueDeploy(database.projectId, [database.id], change);
        const id = ids[0] as string;
        await harness.poll(async () =>
          (await harness.readMigration(id)).state === 'waiting_for_lock' ? true : null,
        );
        // These reads would not finish if an ALTER waited for its lock ahead of them.
        for (let count = 0; count < 20; count += 1) await run(database, 'rows', 'SELECT * FROM users');
        expect((await harness.readMigration(id)).state).toBe('waiting_for_lock');
        // On MySQL, the statement would wait for some milliseconds, so the worker does not send it while the
        // table is held.
        if (mysql.engine === 'mysql')
          expect(await countSent(database, change.split(' (')[0] as string)).toBe(0);
        await holder.run('COMMIT');
        await holder.close();
        expect(await harness.waitMigration(id)).toMatchObject({ state: 'published', error: null });
        if (mysql.engine === 'mysql')
          expect(await countSent(database, change.split(' (')[0] as string)).toBeGreaterThan(0);
      },
    );

    it('a deploy can be cancelled while it waits', async () => {
      const database = await makeBlog();
      const holder = await harness.openAs(database.id, database.schemaName, 'rows');
      await holder.run('START TRANSACTION');
      await holder.rows('SELECT * FROM users');
      const { ids } = await harness.queueDeploy(
        database.projectId,
        [database.id],
        'CREATE TABLE extra (id int PRIMARY KEY); ALTER TABLE users DROP COLUMN bio',
      );
      await harness.poll(async () =>
        (await harness.readMigration(ids[0] as string)).state === 'waiting_for_lock' ? true : null,
      );
      await harness.platform.run('UPDATE migration SET cancel_requested_at = UTC_TIMESTAMP(3) WHERE id = ?', [
        ids[0] as string,
      ]);
      expect(await harness.waitMigration(ids[0] as string)).toMatchObject({
        state: 'cancelled',
        error: null,
      });
      await holder.close();
      const { snapshot } = await harness.readSnapshot(database.id);
      expect(
        snapshot.tables.find((table) => table.name === 'users')?.columns.map((column) => column.name),
      ).toContain('bio');
    });

    it('a deploy stops if a planned table was changed directly, and keeps other direct changes', async () => {
      const database = await makeBlog();
      const { ids } = await harness.withoutWorker(async () => {
        const queued = await harness.queueStored(database, 'ALTER TABLE users ADD COLUMN nick varchar(40)');
        await run(database, 'migrator', 'ALTER TABLE tags ADD COLUMN color char(6)');
        return queued;
      });
      expect(await harness.waitMigration(ids[0] as string)).toMatchObject({
        state: 'published',
        error: null,
      });
      const { snapshot } = await harness.readSnapshot(database.id);
      expect(
        snapshot.tables.find((table) => table.name === 'tags')?.columns.map((column) => column.name),
      ).toContain('color');
      const second = await harness.withoutWorker(async () => {
        const queued = await harness.queueStored(database, 'ALTER TABLE users ADD COLUMN age int');
        await run(database, 'migrator', 'ALTER TABLE users ADD COLUMN wild int');
        return queued;
      });
      expect(await harness.waitMigration(second.ids[0] as string)).toMatchObject({
        state: 'failed',
        error: { code: 'schema.drift' },
      });
      expect(
        (await harness.readSnapshot(database.id)).snapshot.tables
          .find((table) => table.name === 'users')
          ?.columns.map((column) => column.name),
      ).toContain('wild');
    });

    it('migrations of one database run one after the other', async () => {
      const database = await makeBlog();
      const first = await harness.queueDeploy(
        database.projectId,
        [database.id],
        'CREATE TABLE one (id int PRIMARY KEY)',
      );
      const second = await harness.queueDeploy(
        database.projectId,
        [database.id],
        'CREATE TABLE two (id int PRIMARY KEY)',
      );
      expect(await harness.waitMigration(first.ids[0] as string)).toMatchObject({ state: 'published' });
      expect(['published', 'failed']).toContain((await harness.waitMigration(second.ids[0] as string)).state);
      const tables = (await harness.readSnapshot(database.id)).snapshot.tables.map((table) => table.name);
      expect(tables).toContain('one');
    });
  });

  describe('grants of narrowed keys', () => {
    it('grants of narrowed keys are updated with the schema and exclude hidden columns', async () => {
      const database = await makeBlog();
      const rights = { users: ['read'], posts: ['read', 'write'] } as const;
      const hash = hashReadRights(rights);
      await harness.platform.run('UPDATE tenant_database SET settings = ? WHERE id = ?', [
        JSON.stringify({ hidden_columns: { users: ['email'] } }),
        database.id,
      ]);
      await harness.runTask('grant_rights', { database_id: database.id, rights_hash: hash, tables: rights });
      const reads = async (sql: string): Promise<boolean> => {
        const connection = await harness.openAs(database.id, database.schemaName, 'query', hash);
        const isRead = await connection.rows(sql).then(
          () => true,
          () => false,
        );
        await connection.close();
        return isRead;
      };
      expect([
        await reads('SELECT id, username FROM users'),
        await reads('SELECT email FROM users'),
        await reads('SELECT * FROM posts'),
        await reads('SELECT * FROM tags'),
      ]).toEqual([true, false, true, false]);
      await harness.deploy(
        database,
        'ALTER TABLE users ADD COLUMN nick varchar(40); ALTER TABLE posts RENAME TO articles;',
      );
      expect([
        await reads('SELECT nick FROM users'),
        await reads('SELECT email FROM users'),
        await reads('SELECT * FROM articles'),
      ]).toEqual([true, false, false]);
      // When no column is hidden any more, the account gets one grant on the whole table.
      await harness.platform.run(`UPDATE tenant_database SET settings = '{}' WHERE id = ?`, [database.id]);
      await harness.runTask('grant_rights', { database_id: database.id, rights_hash: hash, tables: rights });
      expect([await reads('SELECT * FROM users'), await reads('SELECT * FROM tags')]).toEqual([true, false]);
    });

    it('a narrowed key runs SQL only on the tables and columns that it may use', async () => {
      const database = await makeBlog();
      const rights = {
        users: ['read', 'write'],
        tags: ['read', 'write', 'delete'],
        posts: ['read'],
      } as const;
      const scopes = ['read', 'write', 'delete', 'query', 'query:write'] as const;
      await harness.platform.run('UPDATE tenant_database SET settings = ? WHERE id = ?', [
        JSON.stringify({ hidden_columns: { users: ['email'] } }),
        database.id,
      ]);
      const grant = async (tables: TableRights | null): Promise<(sql: string) => Promise<string>> => {
        const hash = hashWriteRights(scopes, tables);
        await harness.runTask('grant_rights', {
          database_id: database.id,
          rights_hash: hash,
          tables: toWriteRights(scopes, tables),
          kind: 'query_write',
        });
        return async (sql) => {
          const connection = await harness.openAs(database.id, database.schemaName, 'query_write', hash);
          const how = await connection.run(sql).then(
            () => 'done',
            (error: unknown) => String(error),
          );
          await connection.close();
          return how;
        };
      };
      const all = async (
        may: (sql: string) => Promise<string>,
        texts: readonly string[],
      ): Promise<string[]> => {
        const results: string[] = [];
        for (const text of texts) results.push((await may(text)).replace(/^.*denied.*$/, 'denied'));
        return results;
      };
      const narrow = await grant(rights);
      const allowed = [
        "INSERT INTO users (username, email) VALUES ('w', 'w@x')",
        "UPDATE users SET email = 'v@x' WHERE username = 'w'",
        'INSERT INTO tags (name) SELECT title FROM posts',
        "DELETE FROM tags WHERE name = 'w'",
        'SELECT id FROM posts',
      ];
      const rejected = [
        "DELETE FROM users WHERE username = 'w'",
        'UPDATE users SET username = email WHERE id = 1',
        'DELETE FROM posts WHERE id = 1',
        'SELECT * FROM comments',
        'SELECT email FROM users',
        'CREATE TABLE t (id int)',
        'TRUNCATE tags',
        'DROP TABLE tags',
      ];
      expect(await all(narrow, allowed)).toEqual(allowed.map(() => 'done'));
      expect(await all(narrow, rejected)).toEqual(rejected.map(() => 'denied'));
      const whole = await grant(null);
      const more = ["DELETE FROM users WHERE username = 'w'", ...allowed];
      expect(await all(whole, more)).toEqual(more.map(() => 'done'));
      expect(
        await all(whole, [
          'SELECT email FROM users',
          'CREATE TABLE t (id int)',
          'TRUNCATE tags',
          'GRANT SELECT ON *.* TO x',
        ]),
      ).toEqual(['denied', 'denied', 'denied', 'denied']);
      await harness.deploy(
        database,
        'ALTER TABLE users ADD COLUMN nick varchar(40); CREATE TABLE more (id int PRIMARY KEY);',
      );
      expect(
        await all(narrow, [
          'SELECT nick FROM users',
          'SELECT email FROM users',
          'INSERT INTO more VALUES (1)',
        ]),
      ).toEqual(['done', 'denied', 'denied']);
      expect(
        await all(whole, [
          'SELECT nick FROM users',
          'SELECT email FROM users',
          'INSERT INTO more VALUES (1)',
        ]),
      ).toEqual(['done', 'denied', 'done']);
    });
  });
});
