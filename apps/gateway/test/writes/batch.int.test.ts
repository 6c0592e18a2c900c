import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it, vi } from 'vitest';
import type { TestFailPoints } from '../../src/testing/fail-points.js';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { hideColumn } from '../support/hide-column.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly if_match?: string;
}

const TRAPS = [
  'CREATE TABLE counters (id int NOT NULL PRIMARY KEY, value int NOT NULL, data json NULL)',
  'CREATE TABLE refused (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, mark varchar(20) NULL)',
  "CREATE TRIGGER refused_before BEFORE INSERT ON refused FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not on a Sunday'",
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'batches on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { deploy: TRAPS });

    const { call } = stage;
    const batch = (
      operations: readonly Operation[],
      headers: Record<string, string> = {},
      key = stage.tenant.key,
    ): Promise<TestResponse> => call('POST', '/_batch', { operations }, headers, key);
    const names = async (mark: string, key = stage.tenant.key): Promise<string[]> =>
      (await call('GET', `/tags?name__startswith=${mark}&sort=name`, undefined, {}, key)).json.map(
        (tag: { name: string }) => tag.name,
      );

    it('a batch writes to several tables in one transaction and passes results on', async () => {
      const response = await batch([
        { method: 'POST', path: '/users', body: { username: 'ann', email: 'ann@example.org' } },
        { method: 'POST', path: '/posts', body: { title: 'First', content: 'x', user_id: { $ref: '0.id' } } },
        { method: 'POST', path: '/tags', body: [{ name: 'b-one' }, { name: 'b-two' }] },
        {
          method: 'POST',
          path: '/post-tags',
          body: [
            { post_id: { $ref: '1.id' }, tag_id: { $ref: '2.0.id' } },
            { post_id: { $ref: '1.id' }, tag_id: { $ref: '2.1.id' } },
          ],
        },
        { method: 'PATCH', path: '/tags?name=b-two', body: { description: { $ref: '0.username' } } },
        {
          method: 'POST',
          path: '/counters',
          body: { id: 7, value: { $ref: '1.id' }, data: { $value: { $ref: '0' } } },
        },
        { method: 'GET', path: '/posts?title=First&include=user,tags' },
      ]);
      expect([response.status, response.json.map((item: { status: number }) => item.status)]).toEqual([
        200,
        [201, 201, 201, 201, 200, 201, 200],
      ]);
      const [user, post, , , changed, counter, posts] = response.json;
      expect(user.headers).toEqual({ Location: `/v1/-/users/${user.body.id}`, ETag: expect.any(String) });
      expect(changed.body).toEqual({ updated: 1 });
      expect(counter.body).toEqual({ id: 7, value: post.body.id, data: user.body });
      expect(posts.body[0]).toMatchObject({
        user: { username: 'ann' },
        tags: [{ name: 'b-one' }, { name: 'b-two', description: 'ann' }],
      });
      expect((await call('GET', `/posts/${post.body.id}`)).headers.get('etag')).toBe(post.headers.ETag);
    });

    it('a batch with a failing operation changes nothing and reports the operation', async () => {
      const good = (name: string): Operation => ({ method: 'POST', path: '/tags', body: { name } });
      const cases: [Operation, number, object][] = [
        [good('f-0'), 409, { code: 'record.duplicate', constraint: 'tags_name', columns: ['name'] }],
        [
          { method: 'POST', path: '/posts', body: { title: 'x', content: 'x', user_id: 999_999 } },
          409,
          { code: 'record.foreign_key', columns: ['user_id'] },
        ],
        [{ method: 'PUT', path: '/tags/999999', body: { name: 'x' } }, 404, { code: 'record.not_found' }],
        [{ method: 'DELETE', path: '/tags/999999' }, 404, { code: 'record.not_found' }],
        [
          { method: 'PATCH', path: '/tags/999999', body: {}, if_match: '*' },
          404,
          { code: 'record.not_found' },
        ],
        [
          { method: 'POST', path: '/refused', body: { mark: 'x' } },
          422,
          { code: 'record.rejected', detail: [{ loc: ['body'], msg: 'not on a Sunday', type: 'signal' }] },
        ],
        [
          { method: 'POST', path: '/tags', body: { name: { $ref: '0.nme' } } },
          422,
          { code: 'body.invalid', hint: 'Did you mean name?' },
        ],
        [{ method: 'DELETE', path: '/tags?name__startswith=f-' }, 409, { code: 'record.max_affected' }],
      ];
      for (const [operation, status, body] of cases) {
        const response = await batch([good('f-0'), good('f-1'), operation, good('f-2')], {
          prefer: 'max-affected=1',
        });
        expect([response.status, response.json]).toMatchObject([
          status,
          { ...body, operation: 2, request_id: expect.any(String) },
        ]);
        expect(await names('f-')).toEqual([]);
      }
      const problem = await batch([{ method: 'DELETE', path: '/tags/999999' }], {
        accept: 'application/problem+json',
      });
      expect(problem.json).toMatchObject({ status: 404, operation: 0 });
    });

    it('a dry run of a batch stores nothing', async () => {
      const response = await batch(
        [
          { method: 'POST', path: '/tags', body: { name: 'dry' } },
          { method: 'DELETE', path: '/tags?name=dry' },
          { method: 'POST', path: '/tags', body: { name: 'dry2' } },
        ],
        { prefer: 'tx=rollback' },
      );
      expect([response.status, response.headers.get('preference-applied'), response.json[1].body]).toEqual([
        200,
        'tx=rollback',
        { deleted: 1 },
      ]);
      expect(await names('dry')).toEqual([]);
    });

    it('a batch operation with if_match changes only that record version', async () => {
      const tag = await call('POST', '/tags', { name: 'versioned' });
      const etag = String(tag.headers.get('etag'));
      const change = (description: string): Operation => ({
        method: 'PATCH',
        path: `/tags/${tag.json.id}`,
        body: { description },
        if_match: etag,
      });
      const first = await batch([change('a')]);
      expect([first.status, first.json[0].headers.ETag]).toEqual([
        200,
        (await call('GET', `/tags/${tag.json.id}`)).headers.get('etag'),
      ]);
      const stale = await batch([
        { method: 'POST', path: '/tags', body: { name: 'versioned-2' } },
        change('b'),
      ]);
      expect([stale.status, stale.json.code, stale.json.operation]).toEqual([412, 'record.stale', 1]);
      expect(await names('versioned')).toEqual(['versioned']);
      expect(
        (
          await batch([
            { ...change('c'), if_match: first.json[0].headers.ETag },
            { ...change('d'), if_match: first.json[0].headers.ETag },
          ])
        ).json,
      ).toMatchObject({ code: 'record.stale', operation: 1 });
      await stage.cell.deploy(stage.tenant, ['ALTER TABLE tags ADD COLUMN colour varchar(20) NULL']);
      await expect
        .poll(async () => (await call('GET', `/tags/${tag.json.id}`)).json)
        .toHaveProperty('colour');
      expect((await batch([{ ...change('e'), if_match: first.json[0].headers.ETag }])).status).toBe(200);
    });

    it('a batch with an Idempotency-Key runs once, wherever it is interrupted', async () => {
      const operations: Operation[] = [
        { method: 'POST', path: '/tags', body: { name: 'once-a' } },
        { method: 'POST', path: '/tags', body: { name: 'once-b', description: { $ref: '0.name' } } },
      ];
      const first = await batch(operations, { 'idempotency-key': 'b1' });
      const secondResponse = await batch(operations, { 'idempotency-key': 'b1' });
      expect([
        first.status,
        secondResponse.status,
        secondResponse.text,
        secondResponse.headers.get('idempotent-replayed'),
      ]).toEqual([200, 200, first.text, 'true']);
      expect((await batch(operations.slice(0, 1), { 'idempotency-key': 'b1' })).json.code).toBe(
        'idempotency.mismatch',
      );
      expect(await names('once-')).toEqual(['once-a', 'once-b']);
      const points = stage.gateway.running.services.failPoints as TestFailPoints;
      for (const point of ['before_begin', 'after_record', 'after_write', 'after_commit'] as const) {
        points.arm(point, () => {
          throw new Error('cut off here');
        });
        const cut = operations.map((operation, index) => ({
          ...operation,
          body: { name: `cut-${point}-${index}` },
        }));
        expect((await batch(cut, { 'idempotency-key': point })).status).toBe(500);
        expect((await batch(cut, { 'idempotency-key': point })).status).toBe(200);
        expect(await names(`cut-${point}-`)).toHaveLength(2);
      }
      const rejected = [
        { method: 'POST', path: '/tags', body: { name: 'later' } },
        { method: 'POST', path: '/tags', body: { name: 'once-a' } },
      ];
      expect((await batch(rejected, { 'idempotency-key': 'b2' })).status).toBe(409);
      await call('DELETE', '/tags?name=once-a');
      expect((await batch(rejected, { 'idempotency-key': 'b2' })).status).toBe(200);
    });

    it('a batch has exactly the rights of its API key', async () => {
      const { secret } = await stage.cell.addKey(stage.tenant, {
        tables: { tags: ['read', 'write'], posts: ['write'] },
      });
      const tag: Operation = { method: 'POST', path: '/tags', body: { name: 'rights' } };
      for (const [operation, status] of [
        [{ method: 'DELETE', path: '/tags?name=rights' }, 403],
        [{ method: 'GET', path: '/posts' }, 403],
        [{ method: 'GET', path: '/users' }, 404],
      ] as const)
        expect((await batch([tag, operation], {}, secret)).json).toMatchObject({
          operation: 1,
          ...(status === 403 ? { code: 'auth.scope' } : { code: 'table.not_found' }),
        });
      expect(await names('rights')).toEqual([]);
      expect((await batch([tag], {}, stage.other.key)).status).toBe(200);
      expect([await names('rights'), await names('rights', stage.other.key)]).toEqual([[], ['rights']]);
      expect((await batch([tag], {}, 'rh_dev_none')).status).toBe(401);
    });

    it('a batch is run again as a whole when its upserts conflict with other writes', async () => {
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          batch([
            {
              method: 'POST',
              path: '/tags?_on_conflict=name',
              body: { name: 'meet', description: `d${index}` },
            },
            { method: 'POST', path: '/tags', body: { name: `meet-${index}` } },
          ]),
        ),
      );
      for (const response of responses) expect([200, 503]).toContain(response.status);
      const done = responses.filter((response) => response.status === 200);
      expect(done.length).toBeGreaterThan(0);
      expect(await names('meet')).toHaveLength(1 + done.length);
    });

    it('a batch counts as one use of every route in it', async () => {
      const own = await stage.cell.startGateway();
      const { secret, id } = await stage.cell.addKey(stage.tenant);
      const operations = [
        { method: 'POST', path: '/tags', body: { name: 'counted' } },
        { method: 'GET', path: '/tags?limit=1' },
        { method: 'PATCH', path: '/users/999999', body: {} },
      ];
      expect(
        (await callGateway(own.url, 'POST', '/v1/-/_batch', { key: secret, body: { operations } })).status,
      ).toBe(404);
      await own.stop();
      const uses = await stage.cell.pool.rows<{ route: string }>(
        'SELECT route FROM key_use_day WHERE key_id = ?',
        [id],
      );
      expect(uses.map((use) => use.route).sort()).toEqual([
        'GET /tags',
        'PATCH /users/{id}',
        'POST /_batch',
        'POST /tags',
      ]);
    });

    it('a stored batch response is not replayed after its key has lost a right', async () => {
      const own = await stage.cell.addTenant();
      const operations = [
        { method: 'POST', path: '/tags', body: { name: 'seen' } },
        { method: 'GET', path: '/tags?_aggregate=count,n:max:name' },
        { method: 'GET', path: '/tags?_select=id' },
      ];
      const send = (): Promise<TestResponse> => batch(operations, { 'idempotency-key': 'hidden' }, own.key);
      expect([(await send()).status, (await send()).headers.get('idempotent-replayed')]).toEqual([
        200,
        'true',
      ]);
      await hideColumn(stage.cell, own, 'tags', 'name');
      await expect.poll(async () => (await send()).status).toBe(403);
    });

    it('a batch parses a long referenced response in slices between other requests', async () => {
      const own = await stage.cell.addTenant();
      const { json: author } = await call(
        'POST',
        '/users',
        { username: 'ann', email: 'ann@example.org' },
        {},
        own.key,
      );
      const post = (index: number): object => ({ title: `t${index}`, content: 'x', user_id: author.id });
      expect(
        (
          await call(
            'POST',
            '/posts',
            Array.from({ length: 1_000 }, (_, index) => post(index)),
            {},
            own.key,
          )
        ).status,
      ).toBe(201);
      const nextSlice = vi.spyOn(stage.gateway.running.services.scheduler, 'nextSlice');
      const operations = [
        { method: 'GET', path: '/posts?limit=1000&include=user' },
        { method: 'POST', path: '/posts', body: { ...post(0), title: { $ref: '0.999.user.username' } } },
      ];
      expect(
        (await batch(operations, {}, own.key)).json.map((item: { status: number }) => item.status),
      ).toEqual([200, 201]);
      expect(nextSlice.mock.calls).toEqual([[own.schemaName]]);
      nextSlice.mockRestore();
    });

    it('a batch is accepted only by POST /_batch', async () => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const response = await call(method, '/_batch');
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
      }
      for (const path of ['/_batch/', '/_batch/1', '/_batches'])
        expect((await call('POST', path, { operations: [] })).status).toBe(404);
      expect((await call('POST', '/_batch?a=1', { operations: [] })).status).toBe(422);
      expect((await call('POST', '/_batch', '{"operations":')).status).toBe(400);
      expect((await call('POST', '/_batch')).json).toMatchObject({
        code: 'body.invalid',
        detail: [{ loc: ['body'], type: 'dict_type' }],
      });
    });
  },
);
