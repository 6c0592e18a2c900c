import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const ROWS = [
  "INSERT INTO users (id, username, email) VALUES (1, 'ann', 'ann@example.org'), (2, 'bob', 'bob@example.org')",
  "INSERT INTO posts (id, title, content, user_id, published) VALUES (1, 'First', 'x', 1, true), (2, 'Second', 'y', 2, false)",
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'the query endpoint on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { tenant: { rows: ROWS } });

    const query = (
      sql: string,
      extra: Record<string, unknown> = {},
      key = stage.tenant.key,
    ): Promise<TestResponse> => stage.call('POST', '/query', { query: sql, ...extra }, {}, key);

    it('a query returns an array of rows and X-Generated-SQL', async () => {
      const response = await query(
        'SELECT p.title, u.username, p.published FROM posts p JOIN users u ON u.id = p.user_id ORDER BY p.id',
      );
      expect(response.json).toEqual([
        { title: 'First', username: 'ann', published: true },
        { title: 'Second', username: 'bob', published: false },
      ]);
      expect(response.headers.get('x-query-source')).toBe('sql');
      expect(response.headers.get('x-generated-sql')).toContain('SELECT p.title');
      expect(response.headers.get('cache-control')).toBe('no-store');
    });

    it('a query result preserves every digit and gives repeated column names a number', async () => {
      expect((await query('SELECT COUNT(*) AS n, SUM(id) AS s FROM users')).text).toBe('[{"n":2,"s":3}]');
      expect((await query('SELECT 1 AS a, 2 AS a, 3 AS a_2')).text).toBe('[{"a":1,"a_3":2,"a_2":3}]');
      expect((await query('SELECT username FROM users WHERE id = ?', { params: [2] })).json).toEqual([
        { username: 'bob' },
      ]);
      expect((await query('SELECT username FROM users WHERE id = :id', { params: { id: 1 } })).json).toEqual([
        { username: 'ann' },
      ]);
      expect((await query('SELECT 9007199254740993 AS big, 1.10 AS exact')).text).toBe(
        '[{"big":9007199254740993,"exact":1.10}]',
      );
      expect((await query('SELECT id, username FROM users ORDER BY id', { array_mode: true })).json).toEqual([
        [1, 'ann'],
        [2, 'bob'],
      ]);
    });

    it('the limit parameter truncates rows even below an explicit LIMIT', async () => {
      const response = await query('SELECT id FROM users ORDER BY id LIMIT 300000', { limit: 1 });
      expect(response.json).toEqual([{ id: 1 }]);
      expect(response.headers.get('x-truncated')).toBe('true');
      expect((await query('SELECT id FROM users', { limit: 2 })).headers.get('x-truncated')).toBeNull();
    });

    it('verbose=true adds columns, warnings and timing to a query response', async () => {
      expect(
        (await query('SELECT id FROM users WHERE id = ?', { verbose: true, params: [1] })).json,
      ).toMatchObject({
        data: [{ id: 1 }],
        columns: [{ name: 'id', type: 'integer', nullable: false, table: 'users', column: 'id' }],
        params: [1],
        source: 'sql',
        row_count: 1,
        truncated: false,
        schema_version: 1,
      });
      expect((await query('SELECT id FROM users', { dry_run: true, verbose: true })).json).toMatchObject({
        data: [],
        row_count: 0,
      });
      expect((await query('SELECT nope FROM users', { dry_run: true })).json).toMatchObject({
        code: 'query.unknown_column',
      });
    });

    it('SHOW TABLES and DESCRIBE use the stored schema of the gateway', async () => {
      expect((await query('SHOW TABLES')).json).toHaveLength(5);
      expect((await query('DESCRIBE users')).json[0]).toMatchObject({
        Field: 'id',
        Key: 'PRI',
        Null: 'NO',
        Extra: 'auto_increment',
      });
      expect((await query('EXPLAIN SELECT * FROM users')).status).toBe(200);
    });

    it('SQL statements that write, wait, leave the database or reveal the server are rejected', async () => {
      const texts = [
        "INSERT INTO users (username, email) VALUES ('x', 'x@example.org')",
        'DELETE FROM users',
        'DROP TABLE users',
        'SET @a = 1',
        'SELECT SLEEP(1)',
        'SELECT @@datadir',
        "SELECT * FROM users INTO OUTFILE '/tmp/x'",
        'SELECT 1; SELECT 2',
        'SELECT 1 /*!UNION SELECT 2*/',
        `SELECT * FROM ${stage.other.schemaName}.users`,
        'SELECT * FROM mysql.user',
        "SELECT GET_LOCK('a', 1)",
        'SELECT * FROM users FOR UPDATE',
        'SHOW GRANTS',
        'COMMIT',
        'SELECT * FROM information_schema.tables',
        "SELECT LOAD_FILE('/etc/passwd')",
      ];
      for (const text of texts) {
        const response = await query(text);
        expect([400, 403], text).toContain(response.status);
      }
      expect((await query('SELECT COUNT(*) AS n FROM users')).json).toEqual([{ n: 2 }]);
    });

    it('the database server rejects tables that a narrowed key may not read', async () => {
      const { secret } = await stage.cell.addKey(stage.tenant, { tables: { posts: ['read'] } });
      expect((await query('SELECT title FROM posts ORDER BY id', {}, secret)).json).toHaveLength(2);
      expect((await query('SELECT * FROM users', {}, secret)).status).toBeGreaterThanOrEqual(400);
      expect((await query('WITH users AS (SELECT 1 AS a) SELECT * FROM users', {}, secret)).json).toEqual([
        { a: 1 },
      ]);
      expect(
        (await query('WITH users AS (SELECT * FROM users) SELECT * FROM users', {}, secret)).json,
      ).toMatchObject({ code: 'query.unknown_table' });
      expect((await query('SHOW TABLES', {}, secret)).json).toHaveLength(1);
    });

    it('a query with a key without the scope query is rejected', async () => {
      const { secret } = await stage.cell.addKey(stage.tenant, { scopes: ['read'] });
      expect((await query('SELECT 1', {}, secret)).json).toMatchObject({ code: 'auth.scope' });
    });

    it('the translation rules answer questions about tables that the key may read', async () => {
      const counted = await query('how many posts are there?', { verbose: true });
      expect(counted.json).toMatchObject({
        data: [{ count: 2 }],
        source: 'rules',
        sql: 'SELECT COUNT(*) AS `count` FROM `posts` AS t1',
        explanation: 'The number of posts.',
      });
      const plain = await query('how many posts are there?');
      expect(plain.json).toEqual([{ count: 2 }]);
      expect(plain.headers.get('x-query-source')).toBe('rules');
      expect(plain.headers.get('x-generated-params')).toBeNull();
      const dated = await query('how many posts were created in 2024?', { verbose: true });
      expect([
        dated.json.source,
        dated.json.params.length > 0,
        dated.headers.get('x-generated-params'),
      ]).toEqual(['rules', true, JSON.stringify(dated.json.params)]);
      const { secret } = await stage.cell.addKey(stage.tenant, { tables: { posts: ['read'] } });
      expect((await query('how many users are there?', {}, secret)).json).toMatchObject({
        code: 'query.not_understood',
      });
      expect((await query('how many giraffes are there?')).json).toMatchObject({
        code: 'query.not_understood',
        unknown: ['giraffes'],
      });
      expect((await query('how many users are there?', { engine: 'llm' })).json).toMatchObject({
        code: 'query.not_understood',
      });
    });

    it('POST /query returns a specific code and message for each kind of SQL error', async () => {
      const missing = await query('SELECT usernam FROM users');
      expect(missing.json).toMatchObject({ code: 'query.unknown_column', suggestions: ['username'] });
      expect((await query('SELECT id FROM userz')).json).toMatchObject({ code: 'query.unknown_table' });
      expect((await query('SELECT id FROM users UNION SELECT id FROM userz')).json).toMatchObject({
        code: 'query.unknown_table',
        suggestions: ['users'],
      });
      for (const [sql, word, column] of [
        ['SELEC 1', 'SELECT', 1],
        ['SELECT * FORM users', 'FROM', 10],
      ] as const) {
        for (const mode of ['auto', 'sql'])
          expect((await query(sql, { mode })).json).toMatchObject({
            code: 'query.invalid_sql',
            line: 1,
            column,
            suggestions: [word],
          });
      }
      const mixed = await query('SELECT SUM(COUNT(*)) FROM users');
      expect(mixed.json.code).toBe('query.invalid_sql');
      expect(mixed.text).not.toContain(stage.tenant.schemaName);
      expect(mixed.json).not.toHaveProperty('mysql_errno');
    });

    it('a query may select columns that depend on a grouped key', async () => {
      const byKey = await query(
        'SELECT u.id, u.username, COUNT(p.id) AS n FROM users u LEFT JOIN posts p ON p.user_id = u.id GROUP BY u.id ORDER BY u.id',
      );
      const rows = [
        { id: 1, username: 'ann', n: 1 },
        { id: 2, username: 'bob', n: 1 },
      ];
      expect(byKey.json).toEqual(rows);
      expect(
        (
          await query(
            'SELECT u.id, u.username, COUNT(p.id) AS n FROM users u LEFT JOIN posts p ON p.user_id = u.id GROUP BY u.id, u.username ORDER BY u.id',
          )
        ).json,
      ).toEqual(rows);
      const several = await query('SELECT title, COUNT(*) FROM posts GROUP BY user_id');
      expect(several.json).toMatchObject({
        code: 'query.invalid_sql',
        detail: expect.stringContaining('title'),
        hint: expect.stringContaining('GROUP BY'),
      });
      expect(several.text).not.toContain(stage.tenant.schemaName);
    });

    it('EXPLAIN of a rejected statement is rejected with the same error', async () => {
      for (const text of [
        'SELECT SLEEP(1)',
        'SELECT * FROM mysql.user',
        'SELECT * FROM userz',
        'SELECT nope FROM users',
        'SELECT id FROM users UNION SELECT id FROM userz',
        'SELECT * FROM users FOR UPDATE',
      ]) {
        const [plain, explained] = [await query(text), await query(`EXPLAIN ${text}`)];
        expect([explained.status, explained.json.code], text).toEqual([plain.status, plain.json.code]);
      }
    });

    it('a statement that runs too long is stopped', async () => {
      const endless = await query(
        'SELECT COUNT(*) FROM posts a, posts b, (WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT a.i FROM n a, n b, n c, n d) x',
      );
      expect(endless.json).toMatchObject({ code: 'query.timeout' });
      expect(endless.status).toBe(504);
    }, 30_000);
  },
);
