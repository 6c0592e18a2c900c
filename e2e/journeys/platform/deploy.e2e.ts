import { beforeAll, describe, expect, it } from 'vitest';
import { writeBlog, type Blog } from '../../support/schemas/blog.mjs';
import { createKey, deploy, signUp, waitForMigration, type TestUser } from '../../support/control.mjs';
import { openApi, type Api } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

describe('deploys', () => {
  const product = readProduct();
  let user: TestUser;
  let apis: Api[];
  let blog: Blog;

  /**
   * Waits until both gateways satisfy the probe, because they learn of a new schema by a message. The long
   * suite `deploy-freshness` measures the delay.
   */
  const everywhere = async (what: string, probe: (api: Api) => Promise<boolean>): Promise<void> => {
    for (const api of apis) await waitFor(what, () => probe(api));
  };

  beforeAll(async () => {
    user = await signUp(product.control);
    apis = product.gateways.map((base) => openApi(base, user.key));
    blog = await writeBlog(apis[0] as Api, 'deploy');
  });

  it('every gateway serves a deployed column', async () => {
    const before = (await (apis[0] as Api).get('/schema')).headers.etag;
    const migration = await deploy(user, 'ALTER TABLE posts ADD COLUMN subtitle varchar(100)');
    expect(migration).toMatchObject({ state: 'published', database: user.development.id, error: null });
    await everywhere('the column is served', async (api) =>
      (await api.get(`/posts/${blog.posts.first.id}`)).text.includes('"subtitle":null'),
    );
    for (const [index, api] of apis.entries()) {
      const title = `With subtitle ${index}`;
      const written = await api.post('/posts', {
        title,
        content: 'x',
        user_id: blog.users.ann.id,
        subtitle: `sub ${index}`,
      });
      expect(written.status, written.text).toBe(201);
      const found = await api.get(`/posts?subtitle=sub%20${index}`);
      expect(found.json).toEqual([written.json]);
      const schema = await api.get('/schema');
      expect(schema.headers.etag).not.toBe(before);
      expect(schema.text).toMatch(/subtitle/);
      expect((await api.get('/openapi.json')).text).toMatch(/subtitle/);
      expect((await api.query(`SELECT subtitle FROM posts WHERE title = '${title}'`)).json).toEqual([
        { subtitle: `sub ${index}` },
      ]);
      expect(
        (
          await api.post('/posts', {
            title,
            content: 'x',
            user_id: blog.users.ann.id,
            subtitle: 'x'.repeat(101),
          })
        ).status,
      ).toBe(422);
    }
  });

  it("a deploy to one database leaves the project's other database unchanged", async () => {
    const key = await createKey(user, { name: 'production' }, user.production.id);
    expect((await openApi(product.gateways[0], key.secret).get('/schema')).text).not.toMatch(/subtitle/);
  });

  it('a deployed table has API endpoints until it is dropped', async () => {
    await deploy(
      user,
      `
      CREATE TABLE reading_lists (id int AUTO_INCREMENT PRIMARY KEY, name varchar(80) NOT NULL, user_id int NOT NULL, FOREIGN KEY (user_id) REFERENCES users (id));
      CREATE TABLE reading_list_posts (reading_list_id int NOT NULL, post_id int NOT NULL, PRIMARY KEY (reading_list_id, post_id),
        FOREIGN KEY (reading_list_id) REFERENCES reading_lists (id), FOREIGN KEY (post_id) REFERENCES posts (id));`,
    );
    await everywhere(
      'the tables are served',
      async (api) => (await api.get('/reading-list-posts')).status === 200,
    );
    const api = apis[0] as Api;
    const list = await api.post('/reading-lists', { name: 'Later', user_id: blog.users.ann.id });
    expect(list.status, list.text).toBe(201);
    expect(
      (await api.post('/reading-list-posts', { reading_list_id: list.json.id, post_id: blog.posts.first.id }))
        .status,
    ).toBe(201);
    const read = await api.get(`/reading-lists/${list.json.id}?include=posts,user`);
    expect(read.json).toMatchObject({
      user: { id: blog.users.ann.id },
      posts: [{ id: blog.posts.first.id }],
    });

    const drop = 'DROP TABLE reading_list_posts; DROP TABLE reading_lists';
    const rejected = await user.control.call('POST', `/api/projects/${user.projectId}/deploy`, {
      targets: [{ database: user.development.id }],
      sql: drop,
    });
    expect({ status: rejected.status, code: rejected.json.code }, rejected.text).toEqual({
      status: 409,
      code: 'schema.loss_not_accepted',
    });
    expect(rejected.text).toMatch(/reading_lists/);
    expect((await api.get('/reading-lists')).status).toBe(200);
    await deploy(user, drop, { accept_loss: true });
    await everywhere(
      'the tables are gone',
      async (item) => (await item.get('/reading-lists')).status === 404,
    );
  });

  it('a deploy adds a required column to existing rows', async () => {
    await deploy(user, "ALTER TABLE posts ADD COLUMN language char(2) NOT NULL DEFAULT 'en'");
    await everywhere(
      'the column is served',
      async (api) => (await api.get(`/posts/${blog.posts.first.id}`)).json.language === 'en',
    );
  });

  it('a deploy of invalid schema text is rejected with the reason and position', async () => {
    const cases: [string, RegExp][] = [
      ['ALTER TABLE posts ADD COLUMN', /syntax/i],
      ['ALTER TABLE nowhere ADD COLUMN x int', /nowhere/],
      ['DELETE FROM posts', /DELETE/i],
      ['CREATE TABLE x (id int) ENGINE=MyISAM', /ENGINE|MyISAM/i],
      ['CREATE TABLE x AS SELECT * FROM posts', /SELECT/i],
      ['GRANT ALL ON *.* TO x', /GRANT/i],
      ['CREATE TABLE _rh_x (id int PRIMARY KEY)', /_rh_/],
      ['CREATE TABLE mysql.x (id int PRIMARY KEY)', /mysql/],
      ['SELECT 1', /SELECT/i],
    ];
    for (const [sql, reason] of cases) {
      const response = await user.control.call('POST', `/api/projects/${user.projectId}/deploy`, {
        targets: [{ database: user.development.id }],
        sql,
      });
      expect({ sql, status: response.status }, response.text).toEqual({ sql, status: 422 });
      expect(response.json.code, sql).toMatch(/^schema\./);
      expect(response.text, sql).toMatch(reason);
    }
    expect((await (apis[0] as Api).get('/posts')).status).toBe(200);
  });

  it('a deploy plan for an older schema is rejected', async () => {
    const response = await user.control.call('POST', `/api/projects/${user.projectId}/deploy`, {
      targets: [{ database: user.development.id, base_snapshot: 1 }],
      sql: 'ALTER TABLE posts ADD COLUMN late int',
    });
    expect({ status: response.status, code: response.json.code }, response.text).toEqual({
      status: 409,
      code: 'schema.stale_base',
    });
  });

  it('a deploy that violates a constraint fails and reports the rows', async () => {
    const api = apis[0] as Api;
    await api.post('/tags', { name: 'one', description: 'same' });
    await api.post('/tags', { name: 'two', description: 'same' });
    const response = await user.control.call('POST', `/api/projects/${user.projectId}/deploy`, {
      targets: [{ database: user.development.id }],
      sql: 'ALTER TABLE tags ADD UNIQUE KEY tags_description (description(50))',
    });
    const end =
      response.status === 409
        ? response.json
        : (await waitForMigration(user.control, response.json.migrations[0].id)).error;
    expect(end.code, response.text).toBe('schema.rows_in_the_way');
    expect((await api.post('/tags', { name: 'three', description: 'same' })).status).toBe(201);
  });

  it('the control API returns the working schema and the state of each database', async () => {
    const schema = await user.control.call('GET', `/api/projects/${user.projectId}/schema`);
    expect(schema.json.sql).toMatch(/subtitle/);
    expect(schema.json.revision).toBeGreaterThan(3);
    const { json } = await user.control.call('GET', `/api/databases/${user.development.id}`);
    expect(json.snapshot_number).toBeGreaterThan(3);
  });

  it('a deploy without a target changes both databases', async () => {
    const other = await signUp(product.control);
    const put = await other.control.call('PUT', `/api/projects/${other.projectId}/schema`, {
      sql: 'ALTER TABLE users ADD COLUMN city varchar(60)',
      mode: 'apply',
    });
    expect(put.status, put.text).toBe(200);
    const response = await other.control.call('POST', `/api/projects/${other.projectId}/deploy`, {});
    expect(response.json.migrations, response.text).toHaveLength(2);
    for (const migration of response.json.migrations)
      expect((await waitForMigration(other.control, migration.id)).state).toBe('published');
    const key = await createKey(other, { name: 'production' }, other.production.id);
    for (const secret of [key.secret, other.key]) {
      await waitFor('the column is served', async () =>
        (await openApi(product.gateways[1], secret).get('/schema')).text.includes('city'),
      );
    }
  });
});
