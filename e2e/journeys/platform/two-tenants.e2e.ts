import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBlog, type Blog } from '../../support/schemas/blog.mjs';
import { createConnection, createKey, deploy, signUp, type TestUser } from '../../support/control.mjs';
import { openApi, send, type HttpResponse } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';

/** A text in every value of the other tenant. No response may contain it. */
const CANARY = 'canary9f3c';

describe('two tenants side by side', () => {
  const product = readProduct();
  let ann: TestUser;
  let eve: TestUser;
  let annBlog: Blog;
  let annMigration: string;
  let annKeyId: string;
  let annConnection: Awaited<ReturnType<typeof createConnection>>;
  let eveConnection: Awaited<ReturnType<typeof createConnection>>;
  let eveSession: mysql.Connection;

  beforeAll(async () => {
    ann = await signUp(product.control, { name: 'ann', project: `Blog ${CANARY}` });
    eve = await signUp(product.control, { name: 'eve' });
    const api = openApi(product.gateways[0], ann.key);
    annBlog = await writeBlog(api, CANARY);
    // Eve has more rows than Ann in every table, so that each of Ann's ids also exists in Eve's tables.
    annMigration = (
      await deploy(ann, `CREATE TABLE ${CANARY}_notes (id int AUTO_INCREMENT PRIMARY KEY, body text)`)
    ).id;
    annKeyId = (await createKey(ann, { name: CANARY })).id;
    annConnection = await createConnection(ann, { name: CANARY, role: 'owner' });
    eveConnection = await createConnection(eve, { name: 'eve', role: 'owner' });
    eveSession = await mysql.createConnection(eveConnection.connection_string);
  });

  afterAll(() => eveSession?.destroy());

  /**
   * Expects a response without the canary, and with a status that does not reveal whether the object exists.
   */
  const expectNothing = (response: HttpResponse, what: string): void => {
    expect([401, 403, 404, 405, 422], `${what}: ${response.status} ${response.text.slice(0, 300)}`).toContain(
      response.status,
    );
    expect(response.text, what).not.toContain(CANARY);
  };

  it("a request with the id of another tenant's row returns no data of that tenant", async () => {
    for (const base of product.gateways) {
      const api = openApi(base, eve.key);
      for (const path of [
        `/posts/${annBlog.posts.first.id}`,
        `/posts/${annBlog.posts.first.id}?include=user,comments,tags`,
        `/users/${annBlog.users.ann.id}`,
        `/post-tags/${annBlog.posts.first.id},${annBlog.tags.news.id}`,
        `/${CANARY}-notes`,
        `/${CANARY}_notes`,
      ])
        expect((await api.get(path)).status, path).toBe(404);
      for (const path of [
        '/posts',
        '/posts?include=user,comments,tags,comments.user',
        '/users?include=posts,comments',
        `/posts?title__like=%25${CANARY}%25`,
        `/posts?user_id=${annBlog.users.ann.id}`,
        '/tags?include=posts',
      ]) {
        const response = await api.get(path);
        expect({ path, status: response.status, rows: response.json }).toEqual({
          path,
          status: 200,
          rows: [],
        });
      }
      expect((await api.put(`/posts/${annBlog.posts.first.id}`, { title: 'mine' })).status).toBe(404);
      expect((await api.delete(`/posts/${annBlog.posts.first.id}`)).status).toBe(404);
      expect(
        (
          await api.post('/comments', {
            content: 'x',
            user_id: annBlog.users.ann.id,
            post_id: annBlog.posts.first.id,
          })
        ).status,
      ).toBe(409);
      for (const path of ['/schema', '/openapi.json', '/', '/health', '/query'])
        expect((await api.get(path)).text, path).not.toContain(CANARY);
    }
    const still = await openApi(product.gateways[0], ann.key).get(`/posts/${annBlog.posts.first.id}`);
    expect(still.json).toEqual(annBlog.posts.first);
  });

  it("SQL that names another tenant's database is rejected", async () => {
    const api = openApi(product.gateways[0], eve.key);
    for (const name of [annConnection.database, `${annConnection.database}s`, ann.development.id]) {
      for (const statement of [
        `SELECT * FROM ${name}.posts`,
        `SELECT * FROM \`${name}\`.\`posts\``,
        `SELECT * FROM ${name} . posts`,
        `SELECT ${name}.posts.title FROM posts`,
        `SELECT id FROM posts UNION SELECT id FROM ${name}.posts`,
        `SELECT (SELECT title FROM ${name}.posts LIMIT 1)`,
        `DESCRIBE ${name}.posts`,
        `SHOW TABLES FROM ${name}`,
      ]) {
        const response = await api.query(statement);
        expect([400, 403, 422], `${statement}: ${response.text}`).toContain(response.status);
        expect(response.text.replaceAll(name, ''), statement).not.toContain(CANARY);
      }
    }
  });

  it('every control API call rejects the keys, projects, databases and migrations of another tenant', async () => {
    const id = { project: ann.projectId, database: ann.development.id };
    const calls: [string, string, unknown?][] = [
      ['GET', `/api/projects/${id.project}`],
      ['PATCH', `/api/projects/${id.project}`, { name: 'mine' }],
      ['DELETE', `/api/projects/${id.project}`, { confirm: `Blog ${CANARY}` }],
      ['GET', `/api/projects/${id.project}/databases`],
      ['POST', `/api/projects/${id.project}/databases`, { environment: 'staging' }],
      ['GET', `/api/projects/${id.project}/schema`],
      [
        'PUT',
        `/api/projects/${id.project}/schema`,
        { sql: 'CREATE TABLE x (id int PRIMARY KEY)', mode: 'apply' },
      ],
      ['GET', `/api/projects/${id.project}/diff?database=${id.database}`],
      ['POST', `/api/projects/${id.project}/deploy`, { sql: 'CREATE TABLE x (id int PRIMARY KEY)' }],
      [
        'POST',
        `/api/projects/${eve.projectId}/deploy`,
        { targets: [{ database: id.database }], sql: 'CREATE TABLE x (id int PRIMARY KEY)' },
      ],
      ['GET', `/api/projects/${eve.projectId}/diff?database=${id.database}`],
      ['GET', `/api/databases/${id.database}`],
      ['PATCH', `/api/databases/${id.database}`, { settings: { require_limit: true } }],
      ['DELETE', `/api/databases/${id.database}`, { confirm: 'development' }],
      ['GET', `/api/databases/${id.database}/keys`],
      ['POST', `/api/databases/${id.database}/keys`, { name: 'mine' }],
      ['GET', `/api/databases/${id.database}/connections`],
      ['POST', `/api/databases/${id.database}/connections`, { name: 'mine', role: 'owner' }],
      ['GET', `/api/databases/${id.database}/snapshots`],
      ['GET', `/api/databases/${id.database}/audit`],
      ['GET', `/api/databases/${id.database}/usage`],
      ['DELETE', `/api/keys/${annKeyId}`],
      ['POST', `/api/keys/${annKeyId}/rotate`, {}],
      ['DELETE', `/api/connections/${annConnection.id}`],
      ['GET', `/api/migrations/${annMigration}`],
      ['POST', `/api/migrations/${annMigration}/cancel`, {}],
      ['POST', `/api/migrations/${annMigration}/retry`, {}],
      ['POST', '/api/projects', { name: 'mine', organization_id: ann.answer.organization.id }],
    ];
    for (const [method, path, body] of calls)
      expectNothing(await eve.control.call(method, path, body), `${method} ${path}`);
    const projects = await eve.control.call('GET', '/api/projects');
    expect(projects.text).not.toContain(CANARY);
    expect(projects.json.items.map((project: { id: string }) => project.id)).toEqual([eve.projectId]);
    expect((await openApi(product.gateways[0], ann.key).get('/posts')).json).toHaveLength(3);
    expect((await ann.control.call('GET', `/api/databases/${id.database}/keys`)).text).toContain(annKeyId);
  });

  it('a docs URL shows only the schema of its own database', async () => {
    const doc = await send(product.gateways[0], 'GET', `/v1/-/openapi/${eve.development.docs_slug}`, {
      headers: { Authorization: `Bearer ${ann.key}` },
    });
    expect(doc.status).toBe(200);
    expect(doc.text).not.toContain(CANARY);
    const own = await send(product.gateways[0], 'GET', `/v1/-/openapi/${ann.development.docs_slug}`, {
      headers: { Authorization: `Bearer ${eve.key}` },
    });
    expect(own.text).not.toContain(annBlog.posts.first.title);
  });

  it('parallel requests of two tenants over shared connections return only their own rows', async () => {
    const [annApi, eveApi] = [openApi(product.gateways[0], ann.key), openApi(product.gateways[0], eve.key)];
    const responses = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const mine = index % 2 === 0;
        return {
          mine,
          answer: await (mine ? annApi : eveApi).get(
            `/posts/${annBlog.posts.first.id}?include=user,comments`,
          ),
        };
      }),
    );
    for (const { mine, answer: response } of responses) {
      expect(response.status).toBe(mine ? 200 : 404);
      expect(response.text.includes(CANARY)).toBe(mine);
    }
  });

  it('a direct connection reaches no other tenant, even as owner', async () => {
    const name = annConnection.database;
    for (const statement of [
      `SELECT * FROM \`${name}\`.posts`,
      `USE \`${name}\``,
      `INSERT INTO \`${name}\`.tags (name) VALUES ('x')`,
      `DROP DATABASE \`${name}\``,
      `CREATE TABLE \`${name}\`.x (id int)`,
      `CREATE VIEW v AS SELECT * FROM \`${name}\`.posts`,
      `CREATE TABLE y LIKE \`${name}\`.posts`,
      `RENAME TABLE tags TO \`${name}\`.tags2`,
      `SELECT * FROM \`${name}s\`.idempotency`,
      `SHOW TABLES FROM \`${name}\``,
      `SHOW CREATE TABLE \`${name}\`.posts`,
      `CREATE TABLE f (id int, FOREIGN KEY (id) REFERENCES \`${name}\`.posts (id))`,
    ])
      await expect(eveSession.query(statement), statement).rejects.toThrow();
    const [tables] = await eveSession.query('SELECT table_schema, table_name FROM information_schema.tables');
    expect(JSON.stringify(tables)).not.toContain(name);
    expect(JSON.stringify(tables)).not.toContain(CANARY);
    const [processes] = await eveSession.query('SHOW PROCESSLIST');
    for (const row of processes as { User: string }[]) expect(row.User).toBe(eveConnection.user);
    await expect(
      mysql.createConnection({
        host: annConnection.host,
        port: annConnection.port,
        user: eveConnection.user,
        password: eveConnection.password,
        database: name,
      }),
    ).rejects.toThrow();
    await expect(
      mysql.createConnection({
        host: annConnection.host,
        port: annConnection.port,
        user: annConnection.user,
        password: eveConnection.password,
      }),
    ).rejects.toThrow();
  });
});
