import { setTimeout as pause } from 'node:timers/promises';
import { SESSIONS } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, callUntil, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'the data API on %s',
  (_name, engine) => {
    let cell: TestCell;
    let gateway: TestGateway;
    let testTenant: TestTenant;
    let two: TestTenant;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      testTenant = await cell.addTenant();
      two = await cell.addTenant();
      gateway = await cell.startGateway();
    });

    afterAll(() => cell.stop());

    const call = (
      method: string,
      path: string,
      key: string | null,
      body?: unknown,
      headers?: Record<string, string>,
    ): Promise<TestResponse> =>
      callGateway(gateway.url, method, path, {
        key,
        ...(body === undefined ? {} : { body }),
        ...(headers === undefined ? {} : { headers }),
      });

    it('/health reports on the process without an API key, and on the database with one', async () => {
      expect((await call('GET', '/v1/-/health', null)).json).toEqual({
        status: 'ok',
        time: expect.any(String),
      });
      const response = await call('GET', '/v1/-/health', testTenant.key);
      expect(response.status).toBe(200);
      expect(response.json).toMatchObject({ status: 'ok', schema_version: 1 });
      expect((await call('GET', '/v1/-/health', 'junk')).status).toBe(401);
    });

    it('a record is created, read, listed, changed and deleted', async () => {
      const created = await call('POST', '/v1/-/users', testTenant.key, {
        username: 'ann',
        email: 'ann@example.org',
      });
      expect(created.json).toMatchObject({ id: 1, username: 'ann', bio: null });
      expect(created.status).toBe(201);
      expect(created.headers.get('location')).toBe('/v1/-/users/1');
      expect((await call('GET', '/v1/-/users/1', testTenant.key)).json).toMatchObject({ username: 'ann' });
      expect((await call('GET', '/v1/-/users?username=ann', testTenant.key)).json).toHaveLength(1);
      expect((await call('PUT', '/v1/-/users/1', testTenant.key, { bio: 'hello' })).json).toMatchObject({
        bio: 'hello',
        username: 'ann',
      });
      expect((await call('DELETE', '/v1/-/users/1', testTenant.key)).status).toBe(204);
      expect((await call('GET', '/v1/-/users/1', testTenant.key)).status).toBe(404);
    });

    it('related records are read, and composite keys address records', async () => {
      const user = (
        await call('POST', '/v1/-/users', testTenant.key, { username: 'bea', email: 'bea@example.org' })
      ).json;
      const post = (
        await call('POST', '/v1/-/posts', testTenant.key, {
          title: 'T',
          content: 'C',
          user_id: user.id,
          published: true,
        })
      ).json;
      const tag = (await call('POST', '/v1/-/tags', testTenant.key, { name: 'sql' })).json;
      expect(
        (await call('POST', '/v1/-/post-tags', testTenant.key, { post_id: post.id, tag_id: tag.id })).status,
      ).toBe(201);
      await call('POST', '/v1/-/comments', testTenant.key, {
        content: 'Hi',
        user_id: user.id,
        post_id: post.id,
      });
      const full = await call(
        'GET',
        `/v1/-/posts/${post.id}?include=user,comments.user,tags`,
        testTenant.key,
      );
      expect(full.json).toMatchObject({
        published: true,
        user: { username: 'bea' },
        comments: [{ content: 'Hi', user: { username: 'bea' } }],
        tags: [{ name: 'sql' }],
      });
      expect((await call('GET', `/v1/-/post-tags/${post.id},${tag.id}`, testTenant.key)).status).toBe(200);
      expect(
        (await call('GET', '/v1/-/posts?published=true&sort=-id&limit=1', testTenant.key)).json,
      ).toHaveLength(1);
    });

    it('an array with one invalid record stores nothing', async () => {
      const body = [{ name: 'a' }, { name: 'b' }, { name: 'a' }];
      const response = await call('POST', '/v1/-/tags', two.key, body);
      expect(response.json).toMatchObject({ code: 'record.duplicate' });
      expect(response.status).toBe(409);
      expect((await call('GET', '/v1/-/tags', two.key)).json).toEqual([]);
      expect((await call('POST', '/v1/-/tags', two.key, body.slice(0, 2))).json).toMatchObject([
        { name: 'a' },
        { name: 'b' },
      ]);
    });

    it('a dry run is rolled back', async () => {
      const response = await call(
        'POST',
        '/v1/-/tags',
        two.key,
        { name: 'never' },
        { prefer: 'tx=rollback' },
      );
      expect(response.status).toBe(201);
      expect((await call('GET', '/v1/-/tags?name=never', two.key)).json).toEqual([]);
    });

    it("two tenants are isolated even if they know each other's names", async () => {
      await call('POST', '/v1/-/users', two.key, { username: 'zoe', email: 'zoe@example.org' });
      expect((await call('GET', '/v1/-/users?username=zoe', testTenant.key)).json).toEqual([]);
      expect((await call('GET', '/v1/-/users?username=bea', two.key)).json).toEqual([]);
      const names = await Promise.all(
        Array.from({ length: 60 }, (_, iteration) =>
          call('GET', '/v1/-/users?sort=id&limit=1', iteration % 2 === 0 ? testTenant.key : two.key).then(
            (response) => response.json[0].username,
          ),
        ),
      );
      expect(new Set(names.filter((_, iteration) => iteration % 2 === 0))).toEqual(new Set(['bea']));
      expect(new Set(names.filter((_, iteration) => iteration % 2 === 1))).toEqual(new Set(['zoe']));
    });

    it('a narrowed key sees only its tables and may use only its verbs', async () => {
      const { secret } = await cell.addKey(testTenant, { tables: { posts: ['read'] } });
      expect((await call('GET', '/v1/-/posts', secret)).status).toBe(200);
      expect((await call('GET', '/v1/-/users', secret)).json).toMatchObject({ code: 'table.not_found' });
      expect(
        (await call('POST', '/v1/-/posts', secret, { title: 'x', content: 'y', user_id: 1 })).json,
      ).toMatchObject({ code: 'auth.scope' });
      expect(
        (await call('GET', '/v1/-/', secret)).json.tables.map((table: { name: string }) => table.name),
      ).toEqual(['posts']);
      expect((await call('GET', '/v1/-/schema', secret)).text).not.toContain('username');
      expect((await call('GET', '/v1/-/posts?include=user', secret)).status).toBe(422);
    });

    it('a request runs again on a newer schema when its database has changed', async () => {
      await cell.root.run(`ALTER TABLE ${two.schemaName}.tags CHANGE description about text NULL`);
      const created = call('POST', '/v1/-/tags', two.key, { name: 'new', about: 'x' });
      const isAsked = async (): Promise<boolean> =>
        (await cell.pool.rows('SELECT 1 FROM detect_request WHERE database_id = ?', [two.databaseId]))
          .length > 0;
      const listed = call('GET', '/v1/-/tags', two.key);
      for (let iteration = 0; iteration < 100 && !(await isAsked()); iteration += 1) await pause(5);
      expect(await isAsked()).toBe(true);
      await cell.publish(two);
      expect((await listed).json[0]).toHaveProperty('about');
      expect((await created).status).toBe(422);
      expect((await call('POST', '/v1/-/tags', two.key, { name: 'new', about: 'x' })).json).toMatchObject({
        about: 'x',
      });
    });

    describe('an account rejected by the server', () => {
      let user: string;
      /** Locks or unlocks the account, and ends its sessions, so that the next request must log in. */
      async function lock(isLocked: boolean): Promise<void> {
        await cell.root.run(`ALTER USER '${user}'@'%' ACCOUNT ${isLocked ? 'LOCK' : 'UNLOCK'}`);
        const sessions = await cell.root.rows<{ id: number }>(
          `SELECT ID AS id FROM ${SESSIONS} WHERE USER = ?`,
          [user],
        );
        for (const { id } of isLocked ? sessions : [])
          await cell.root.run(`KILL ${id}`).catch(() => undefined);
      }
      const isAsked = async (): Promise<boolean> =>
        (
          await cell.pool.rows(
            'SELECT 1 FROM repair_request WHERE database_id = ? AND (handled_at IS NULL OR handled_at < requested_at)',
            [two.databaseId],
          )
        ).length > 0;

      beforeAll(async () => {
        const [account] = await cell.pool.rows<{ user_name: string }>(
          "SELECT user_name FROM database_account WHERE database_id = ? AND kind = 'rows'",
          [two.databaseId],
        );
        user = account?.user_name ?? '';
      });

      it('requests wait for the repair of a rejected account without failing', async () => {
        await lock(true);
        const responses = Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            index < 4
              ? call('GET', '/v1/-/tags', two.key)
              : call('POST', '/v1/-/tags', two.key, { name: `repaired ${index}` }),
          ),
        );
        await expect.poll(isAsked).toBe(true);
        await lock(false);
        await cell.pool.run('UPDATE repair_request SET handled_at = UTC_TIMESTAMP(3)');
        expect((await responses).map(({ status }) => status)).toEqual([
          200, 200, 200, 200, 201, 201, 201, 201,
        ]);
      });

      it('requests get 503 while no worker repairs their account', async () => {
        await lock(true);
        const responses = await Promise.all(
          Array.from({ length: 4 }, () => call('GET', '/v1/-/tags', two.key)),
        );
        for (const { status, json, headers } of responses)
          expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'db.account_refused', '1']);
        await lock(false);
        await cell.pool.run('UPDATE repair_request SET handled_at = UTC_TIMESTAMP(3)');
        expect(
          (
            await callUntil(
              () => call('GET', '/v1/-/tags', two.key),
              (response) => response.status === 200,
              3_000,
            )
          ).status,
        ).toBe(200);
      });
    });

    it('a view that does not match the newest snapshot is reported as broken', async () => {
      await cell.deploy(two, ['CREATE VIEW tag_names AS SELECT id, name FROM tags']);
      expect(
        (
          await callUntil(
            () => call('GET', '/v1/-/tag-names', two.key),
            (response) => response.status === 200,
            1_000,
          )
        ).status,
      ).toBe(200);
      await cell.root.run(`ALTER TABLE ${two.schemaName}.tags CHANGE name title varchar(100) NOT NULL`);
      const testResponse = await call('GET', '/v1/-/tag-names', two.key);
      expect([testResponse.status, testResponse.json.code]).toEqual([409, 'schema.broken_object']);
      expect(testResponse.text).not.toContain(two.schemaName);
      await cell.root.run(`ALTER TABLE ${two.schemaName}.tags CHANGE title name varchar(100) NOT NULL`);
    });
  },
);
