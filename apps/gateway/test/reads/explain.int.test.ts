import { getTestServers } from '@rowhouse/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const EXTRA = [
  'ALTER TABLE users ADD COLUMN password varchar(20) NULL, ADD KEY by_password (password)',
  'CREATE VIEW published AS SELECT id, title FROM posts WHERE published = 1',
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  '_explain on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: { settings: { regex_enabled: true, hidden_columns: { users: ['password'] } } },
      other: null,
      deploy: EXTRA,
    });

    beforeAll(async () => {
      const users = Array.from(
        { length: 300 },
        (_, index) => `('u${index}', 'u${index}@example.org', 'p${index}')`,
      );
      await stage.cell.root.run(
        `INSERT INTO ${stage.tenant.schemaName}.users (username, email, password) VALUES ${users.join(', ')}`,
      );
      await stage.cell.root.run(
        `INSERT INTO ${stage.tenant.schemaName}.posts (title, content, user_id) SELECT username, 'x', id FROM ${stage.tenant.schemaName}.users`,
      );
    });

    const get = (path: string, key = stage.tenant.key): Promise<TestResponse> =>
      callGateway(stage.gateway.url, 'GET', `/v1/-${path}`, { key });

    it("_explain returns the statements and the engine's steps", async () => {
      const response = await get('/posts?user_id=5&_explain=true&_count=exact');
      expect([response.status, response.json.statements.length]).toEqual([200, 2]);
      expect(response.json.statements[0]).toMatchObject({
        sql: expect.stringMatching(/^SELECT .*WHERE `user_id` = \? ORDER BY `id` ASC LIMIT \?$/),
        params: ['5', '1001'],
        plan: [{ id: 1, table: 'posts', access: 'ref', key: expect.any(String), rows: 1 }],
      });
    });

    it('_explain explains every kind of list without running it', async () => {
      const tree = encodeURIComponent(
        '{"or":[{"user.username__like":"u1%"},{"comments":{"count__gte":1}},{"tags":{"none":{"name":"x"}}}]}',
      );
      for (const query of [
        'sort=user.username,-created_at&limit=5',
        `_filter=${tree}`,
        '_distinct=user_id',
        '_cursor=&limit=3',
        'title__regex=^u1',
        'include=user,comments.user,tags',
        '_aggregate=count&_group=user.username,created_at:month',
        '_aggregate=n:count&_group=user_id&_having=%7B%22n__gt%22:1%7D&_count=exact&sort=-n',
      ]) {
        const response = await get(`/posts?${query}&_explain=true`);
        expect([query, response.status], response.text).toEqual([query, 200]);
        expect(response.json.statements[0].plan.length).toBeGreaterThan(0);
        expect(response.text).not.toContain(stage.tenant.schemaName);
      }
      expect(
        (
          await callGateway(stage.gateway.url, 'POST', '/v1/-/_search/posts', {
            key: stage.tenant.key,
            body: { _explain: true, id__in: [1, 2] },
          })
        ).json.statements,
      ).toHaveLength(1);
    });

    it('_explain omits hidden columns and their indexes', async () => {
      for (const query of ['', '&sort=username', '&include=posts', '&_aggregate=count', '&_count=exact']) {
        const response = await get(`/users?_explain=true${query}`);
        expect([response.status, response.text.includes('password')]).toEqual([200, false]);
      }
    });

    it('_explain needs the scope query and the rights of the list', async () => {
      const { secret: reader } = await stage.cell.addKey(stage.tenant, { scopes: ['read', 'schema'] });
      expect((await get('/posts', reader)).status).toBe(200);
      expect((await get('/posts?_explain=true', reader)).json).toMatchObject({
        code: 'auth.scope',
        scope: 'query',
      });
      expect((await get('/posts?_explain=false', reader)).status).toBe(200);
      const { secret: narrow } = await stage.cell.addKey(stage.tenant, {
        tables: { posts: ['read'], users: ['write'] },
      });
      expect((await get('/posts?_explain=true&user.id=1', narrow)).json).toMatchObject({
        code: 'auth.scope',
        scope: 'read',
        table: 'users',
      });
      const other = await stage.cell.addTenant({ ddl: ['CREATE TABLE posts (id int PRIMARY KEY)'] });
      expect((await get('/posts?_explain=true', other.key)).json.statements[0].sql).toBe(
        'SELECT `id` FROM `posts` ORDER BY `id` ASC LIMIT ?',
      );
    });

    it('_explain is rejected for views, for unknown values and for a single record', async () => {
      expect((await get('/published?_explain=true')).json.detail[0].type).toBe('not_explainable');
      expect((await get('/posts?_explain=maybe')).json.detail[0].type).toBe('bool_parsing');
      expect((await get('/posts/1?_explain=true')).status).toBe(422);
    });
  },
);
