import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import type { TestFailPoints } from '../../src/testing/fail-points.js';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { hideColumn } from '../support/hide-column.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'Idempotency-Key on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { other: null });
    /** The number of the current test case. It is used to create new names and keys. */
    let cases = 0;

    const call = (
      method: string,
      path: string,
      once: string,
      body?: unknown,
      headers: Record<string, string> = {},
      key = stage.tenant.key,
    ): Promise<TestResponse> => stage.call(method, path, body, { 'idempotency-key': once, ...headers }, key);
    const count = async (name: string): Promise<number> =>
      (
        await callGateway(stage.gateway.url, 'GET', `/v1/-/tags?name__startswith=${name}`, {
          key: stage.tenant.key,
        })
      ).json.length;
    const failPoints = (): TestFailPoints => stage.gateway.running.services.failPoints as TestFailPoints;
    const replayed = (response: TestResponse): string | null => response.headers.get('idempotent-replayed');

    it('a repeated POST returns the stored status, headers and body', async () => {
      const created = await call('POST', '/tags', 'k1', { name: 'once' });
      expect([created.status, replayed(created)]).toEqual([201, null]);
      const second = await call('POST', '/tags', 'k1', { name: 'once' });
      expect([second.status, second.text, replayed(second)]).toEqual([201, created.text, 'true']);
      for (const name of ['location', 'etag', 'content-type'])
        expect(second.headers.get(name)).toBe(created.headers.get(name));
      expect(await count('once')).toBe(1);
    });

    it.each<[string, string, string, unknown, string[]]>([
      ['update of one record', 'PATCH', '/tags/{id}', { description: 'x' }, ['a', 'b']],
      [
        'create of several records',
        'POST',
        '/tags',
        [{ name: '{prefix}-c' }, { name: '{prefix}-d' }],
        ['a', 'b', 'c', 'd'],
      ],
      ['upsert', 'POST', '/tags?_on_conflict=name', { name: '{prefix}-a', description: 'y' }, ['a', 'b']],
      ['update by a filter', 'PUT', '/tags?name={prefix}-a', { description: 'z' }, ['a', 'b']],
      ['delete by a filter', 'DELETE', '/tags?name={prefix}-a', undefined, ['b']],
      ['delete of one record', 'DELETE', '/tags/{id}', undefined, ['b']],
    ])(
      'a repeated %s with an Idempotency-Key is executed once and returns the same bytes',
      async (_name, method, path, body, left) => {
        cases += 1;
        const prefix = `case-${cases}`;
        const stored = await callGateway(stage.gateway.url, 'POST', '/v1/-/tags', {
          key: stage.tenant.key,
          body: [{ name: `${prefix}-a` }, { name: `${prefix}-b` }],
        });
        const fill = (text: string): string =>
          text.replaceAll('{prefix}', prefix).replace('{id}', String(stored.json[0].id));
        const send = (): Promise<TestResponse> =>
          call(
            method,
            fill(path),
            prefix,
            body === undefined ? undefined : JSON.parse(fill(JSON.stringify(body))),
          );
        const first = await send();
        expect([first.status < 300, replayed(first)]).toEqual([true, null]);
        const second = await send();
        expect([second.status, second.text, replayed(second)]).toEqual([first.status, first.text, 'true']);
        const names = await callGateway(
          stage.gateway.url,
          'GET',
          `/v1/-/tags?name__startswith=${prefix}&sort=name`,
          {
            key: stage.tenant.key,
          },
        );
        expect(names.json.map((tag: { name: string }) => tag.name)).toEqual(
          left.map((end) => `${prefix}-${end}`),
        );
      },
    );

    it('another request with the same Idempotency-Key gets 422', async () => {
      await call('POST', '/tags', 'k2', { name: 'second' });
      for (const response of [
        await call('POST', '/tags', 'k2', { name: 'other' }),
        await call('POST', '/tags?_on_conflict=name', 'k2', { name: 'second' }),
        await call('POST', '/tags', 'k2', { name: 'second' }, { prefer: 'return=minimal' }),
      ]) {
        expect([response.status, response.json.code]).toEqual([422, 'idempotency.mismatch']);
      }
      expect((await call('POST', '/tags', 'k3', { name: 'second' })).status).toBe(409);
      expect((await call('POST', '/tags', 'k3', { name: 'third' }, { prefer: 'tx=rollback' })).status).toBe(
        201,
      );
      const third = await call('POST', '/tags', 'k3', { name: 'third' });
      expect([third.status, replayed(third)]).toEqual([201, null]);
    });

    it('concurrent requests with one Idempotency-Key have one effect', async () => {
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => call('POST', '/tags', 'k4', { name: 'parallel' })),
      );
      expect(await count('parallel')).toBe(1);
      const done = responses.filter((response) => response.status === 201);
      expect(done.length).toBeGreaterThan(0);
      expect(new Set(done.map((response) => response.text)).size).toBe(1);
      for (const response of responses)
        if (response.status !== 201)
          expect([response.status, response.json.code, response.headers.get('retry-after')]).toEqual([
            409,
            'idempotency.running',
            '1',
          ]);
      let inner: TestResponse | null = null;
      failPoints().arm('after_record', async () => {
        inner = await call('POST', '/tags', 'k5', { name: 'held' });
      });
      expect((await call('POST', '/tags', 'k5', { name: 'held' })).status).toBe(201);
      expect(inner).toMatchObject({ status: 409, json: { code: 'idempotency.running' } });
    });

    it('an idempotent write takes effect once, wherever its request is interrupted', async () => {
      for (const point of ['before_begin', 'after_record', 'after_write', 'after_commit'] as const) {
        failPoints().arm(point, () => {
          throw new Error('cut off here');
        });
        expect((await call('POST', '/tags', `cut-${point}`, { name: `cut-${point}` })).status).toBe(500);
        const retry = await call('POST', '/tags', `cut-${point}`, { name: `cut-${point}` });
        expect([retry.status, replayed(retry)]).toEqual([201, point === 'after_commit' ? 'true' : null]);
        expect(await count(`cut-${point}`)).toBe(1);
      }
    });

    it('a write under an Idempotency-Key is rolled back if its response exceeds 256 KiB', async () => {
      const rows = (mark: string): unknown =>
        Array.from({ length: 400 }, (_, index) => ({
          name: `${mark}-${index}`,
          description: 'x'.repeat(1_000),
        }));
      const rejected = await call('POST', '/tags', 'k6', rows('large'));
      expect([rejected.status, rejected.json.code]).toEqual([422, 'idempotency.too_large']);
      expect(await count('large')).toBe(0);
      expect((await call('POST', '/tags', 'k6', rows('large'), { prefer: 'return=minimal' })).status).toBe(
        201,
      );
      expect(await count('large')).toBe(400);
    });

    it('a stored response is replayed only for its own API key and rights', async () => {
      const { id, secret } = await stage.cell.addKey(stage.tenant, { tables: { tags: ['read', 'write'] } });
      expect((await call('POST', '/tags', 'k1', { name: 'own' }, {}, secret)).status).toBe(201);
      await stage.cell.pool.run('UPDATE api_key SET tables = ? WHERE id = ?', [
        JSON.stringify({ tags: ['write'] }),
        id,
      ]);
      await stage.cell.change(stage.tenant.databaseId, 'key');
      await expect
        .poll(async () => (await call('POST', '/tags', 'k1', { name: 'own' }, {}, secret)).status)
        .toBe(403);
    });

    it('a stored response is replayed after schema changes unless they hid columns', async () => {
      const own = await stage.cell.addTenant();
      const send = (): Promise<TestResponse> =>
        call('POST', '/tags', 'k10', { name: 'before', description: 'x' }, {}, own.key);
      const first = await send();
      expect(first.status).toBe(201);
      await stage.cell.deploy(own, [
        'ALTER TABLE tags DROP COLUMN description, ADD COLUMN needed int NOT NULL DEFAULT 1',
      ]);
      await expect
        .poll(
          async () =>
            (await callGateway(stage.gateway.url, 'GET', `/v1/-/tags/${first.json.id}`, { key: own.key }))
              .json,
        )
        .not.toHaveProperty('description');
      expect(
        (await call('POST', '/tags', 'k11', { name: 'after', description: 'x' }, {}, own.key)).status,
      ).toBe(422);
      const secondResponse = await send();
      expect([secondResponse.status, secondResponse.text, replayed(secondResponse)]).toEqual([
        201,
        first.text,
        'true',
      ]);
      await hideColumn(stage.cell, own, 'tags', 'name');
      await expect.poll(async () => (await send()).status).toBe(403);
    });

    it('a request cannot trigger fail points in production', async () => {
      const production = await stage.cell.startGateway({ environment: 'production' });
      const headers = { 'idempotency-key': 'k9', 'x-fail-point': 'before_begin' };
      expect(
        (
          await callGateway(production.url, 'POST', '/v1/-/tags', {
            key: stage.tenant.key,
            headers,
            body: { name: 'uncut' },
          })
        ).status,
      ).toBe(201);
      expect(production.running.services.failPoints).not.toHaveProperty('arm');
    });

    it('a stored response expires after a day', async () => {
      const side = `${stage.tenant.schemaName}s.idempotency`;
      await call('POST', '/tags', 'k7', { name: 'aged' });
      await stage.cell.root.run(`UPDATE ${side} SET created_at = created_at - INTERVAL 25 HOUR`);
      const secondResponse = await call('POST', '/tags', 'k7', { name: 'aged again' });
      expect([secondResponse.status, replayed(secondResponse)]).toEqual([201, null]);
      await stage.cell.root.run(`UPDATE ${side} SET created_at = created_at - INTERVAL 25 HOUR`);
      const fresh = await stage.cell.startGateway();
      await callGateway(fresh.url, 'POST', '/v1/-/tags', {
        key: stage.tenant.key,
        headers: { 'idempotency-key': 'k8' },
        body: { name: 'newest' },
      });
      await expect
        .poll(async () => (await stage.cell.root.rows(`SELECT idempotency_key FROM ${side}`)).length)
        .toBe(1);
    });
  },
);
