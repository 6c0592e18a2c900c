import { beforeAll, describe, expect, it } from 'vitest';
import { writeBlog, type Blog } from '../../support/schemas/blog.mjs';
import { createKey, signUp, type TestUser } from '../../support/control.mjs';
import { openApi, type Api } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';

describe('POST /query', () => {
  const product = readProduct();
  let user: TestUser;
  let other: TestUser;
  let api: Api;
  let blog: Blog;

  beforeAll(async () => {
    user = await signUp(product.control);
    other = await signUp(product.control, { name: 'eve' });
    api = openApi(product.gateways[0], user.key);
    blog = await writeBlog(api, 'query');
  });

  it('a SELECT sent to /query returns an array of rows', async () => {
    const response = await api.query('SELECT id, title FROM posts ORDER BY id LIMIT 2');
    expect(response.status, response.text).toBe(200);
    expect(response.json).toEqual([
      { id: blog.posts.first.id, title: blog.posts.first.title },
      { id: blog.posts.second.id, title: blog.posts.second.title },
    ]);
    expect(response.headers['x-query-source']).toBe('sql');
  });

  it('/query runs joins, groups, counts and sorts', async () => {
    const response = await api.query(
      'SELECT u.username, COUNT(*) AS posts, SUM(p.published) AS live FROM users u JOIN posts p ON p.user_id = u.id GROUP BY u.id, u.username ORDER BY posts DESC, u.id;',
    );
    expect(response.json).toEqual([
      { username: blog.users.ann.username, posts: 2, live: 1 },
      { username: blog.users.bob.username, posts: 1, live: 1 },
    ]);
    const nested = await api.query(
      'WITH t AS (SELECT post_id, COUNT(*) n FROM comments GROUP BY post_id) SELECT MAX(n) AS most FROM t',
    );
    expect(nested.json).toEqual([{ most: 2 }]);
    expect((await api.query('SELECT id, id FROM tags ORDER BY id LIMIT 1')).json).toEqual([
      { id: blog.tags.news.id, id_2: blog.tags.news.id },
    ]);
  });

  it('/query binds the parameters of a statement', async () => {
    const list = await api.query('SELECT title FROM posts WHERE user_id = ? AND published = ?', {
      params: [blog.users.ann.id, true],
    });
    expect(list.json, list.text).toEqual([{ title: blog.posts.first.title }]);
    const named = await api.query('SELECT title FROM posts WHERE id = :id', {
      params: { id: blog.posts.third.id },
    });
    expect(named.json, named.text).toEqual([{ title: blog.posts.third.title }]);
  });

  it('a verbose query also returns its columns, its SQL and the row count', async () => {
    const response = await api.query('SELECT COUNT(*) AS n FROM posts', { verbose: true });
    expect(response.json).toMatchObject({
      data: [{ n: 3 }],
      columns: [{ name: 'n' }],
      sql: expect.stringMatching(/COUNT/),
      source: 'sql',
      row_count: 1,
      truncated: false,
      llm: null,
      request_id: expect.any(String),
    });
  });

  it('a query result above its limit is truncated and marked as such', async () => {
    const response = await api.query('SELECT id FROM posts', { limit: 2 });
    expect(response.json).toHaveLength(2);
    expect(response.headers['x-truncated']).toBe('true');
  });

  it('/query rejects a statement that is not a read, which changes nothing', async () => {
    const statements = [
      'DELETE FROM posts',
      'UPDATE posts SET title = 1',
      "INSERT INTO tags (name) VALUES ('x')",
      'DROP TABLE posts',
      'TRUNCATE posts',
      'ALTER TABLE posts ADD x int',
      'SELECT 1; DELETE FROM posts',
      'SET @a = 1',
      'SET PASSWORD = PASSWORD(1)',
      'SHOW GRANTS',
      'SELECT @@datadir',
      'SELECT * FROM posts INTO OUTFILE "/tmp/x"',
      'SELECT * FROM posts FOR UPDATE',
      'SELECT SLEEP(5)',
      "SELECT LOAD_FILE('/etc/passwd')",
      "SELECT GET_LOCK('a', 1)",
      'SELECT /*! 1 */ FROM posts',
      'CREATE TABLE x (id int)',
      'GRANT ALL ON *.* TO x',
      'CALL x()',
      'HANDLER posts OPEN',
      'LOCK TABLES posts READ',
      'BEGIN',
      'COMMIT',
      'SELECT BENCHMARK(100000000, 1)',
      'SET STATEMENT max_statement_time=0 FOR SELECT 1',
    ];
    for (const statement of statements) {
      const response = await api.query(statement);
      expect([400, 403], `${statement}: ${response.text}`).toContain(response.status);
      expect(response.json.code, statement).toMatch(/^query\./);
    }
    expect((await api.query('SELECT COUNT(*) AS n FROM posts')).json).toEqual([{ n: 3 }]);
  });

  it('a SELECT from another database is rejected', async () => {
    const schemas = (await api.get('/schema')).json;
    expect(schemas).toBeDefined();
    for (const statement of [
      'SELECT * FROM mysql.user',
      'SELECT * FROM information_schema.tables',
      'SELECT * FROM performance_schema.threads',
      'SELECT * FROM `mysql`.`db`',
      `SELECT * FROM ${other.development.id}.posts`,
      'SELECT * FROM x.posts',
    ]) {
      const response = await api.query(statement);
      expect([400, 403], `${statement}: ${response.text}`).toContain(response.status);
    }
  });

  it('an SQL error is reported with its position and a suggestion', async () => {
    const table = await api.query('SELECT * FROM post');
    expect({ status: table.status, code: table.json.code }, table.text).toEqual({
      status: 400,
      code: 'query.unknown_table',
    });
    expect(table.text).toMatch(/posts/);
    const column = await api.query('SELECT titel FROM posts');
    expect({ status: column.status, code: column.json.code }, column.text).toEqual({
      status: 400,
      code: 'query.unknown_column',
    });
    const syntax = await api.query('SELECT id FROM posts WHERE (id = 1');
    expect({ status: syntax.status, code: syntax.json.code }, syntax.text).toEqual({
      status: 400,
      code: 'query.invalid_sql',
    });
  });

  it('a question in plain language returns rows and the SQL that was run', async () => {
    const counted = await api.query('How many posts are there?');
    expect(
      {
        status: counted.status,
        keys: Object.keys(counted.json?.[0] ?? {}),
        source: counted.headers['x-query-source'],
      },
      counted.text,
    ).toEqual({ status: 200, keys: ['count'], source: 'rules' });
    expect(counted.headers['x-generated-sql']).toBe('SELECT COUNT(*) AS `count` FROM `posts` AS t1');
  });

  it('a question with unknown words is rejected with working examples', async () => {
    for (const question of ['How many giraffes are there?', 'which invoices are overdue']) {
      const response = await api.query(question);
      expect({ question, status: response.status, code: response.json?.code }, response.text).toEqual({
        question,
        status: 422,
        code: 'query.not_understood',
      });
    }
  });

  it('a malformed /query body is rejected', async () => {
    for (const body of [
      {},
      { query: 7 },
      { query: 'SELECT 1', nonsense: true },
      { query: 'SELECT 1', limit: 0.5 },
      { query: 'SELECT ?', params: 'x' },
    ]) {
      const response = await api.call('POST', '/query', { body });
      expect(response.status, `${JSON.stringify(body)}: ${response.text}`).toBe(422);
    }
    for (const empty of ['', ' ', ';', '-- nothing'])
      expect([400, 422], empty).toContain((await api.query(empty)).status);
    expect((await api.query(`SELECT '${'x'.repeat(20_000)}'`)).status).toBeGreaterThanOrEqual(400);
  });

  it('a key without the query scope is rejected with 403', async () => {
    const key = await createKey(user, { name: 'no query', scopes: ['read'] });
    const response = await openApi(product.gateways[0], key.secret).query('SELECT 1');
    expect({ status: response.status, code: response.json.code }).toEqual({
      status: 403,
      code: 'auth.scope',
    });
  });
});
