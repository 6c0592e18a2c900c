import { setTimeout as pause } from 'node:timers/promises';
import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { callUntil, type TestResponse } from '../support/http-call.js';
import { openMcp } from '../support/mcp-client.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE films (id int AUTO_INCREMENT PRIMARY KEY, stars tinyint(1), seen tinyint(1) NOT NULL DEFAULT 0, parent_id int, FOREIGN KEY (parent_id) REFERENCES films (id))',
];
const ROWS = ['INSERT INTO films VALUES (1, 5, 1, NULL), (2, -1, 0, 1), (3, 1, 1, 1), (4, NULL, 0, NULL)'];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'the setting number_columns on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: { ddl: DDL, rows: ROWS },
      other: null,
      prepare: async ({ cell, tenant }) => {
        key = (
          await cell.addKey(tenant, { scopes: ['read', 'write', 'delete', 'query', 'query:write', 'schema'] })
        ).secret;
      },
    });
    let key: string;

    const call = (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<TestResponse> => stage.call(method, path, body, headers, key);
    const setNumbers = async (columns: readonly string[]): Promise<void> => {
      const list =
        columns.length === 0
          ? 'JSON_OBJECT()'
          : `JSON_OBJECT('films', JSON_ARRAY(${columns.map((column) => `'${column}'`).join(', ')}))`;
      await stage.cell.pool.run(
        `UPDATE tenant_database SET settings = JSON_SET(settings, '$.number_columns', ${list}), version = version + 1 WHERE id = ?`,
        [stage.tenant.databaseId],
      );
      await stage.cell.change(stage.tenant.databaseId, 'settings');
    };
    const readOne = (): Promise<TestResponse> => call('GET', '/films/1');

    it('a change of number_columns takes effect within a second without failed requests', async () => {
      const responses: TestResponse[] = [];
      let isFinished = false;
      const probers = [
        '/films?sort=id',
        '/films/1',
        '/films?include=parent&limit=2',
        '/films?_aggregate=count,sum:stars',
      ].map(async (path) => {
        while (!isFinished) responses.push(await call('GET', path));
      });
      const querier = (async () => {
        while (!isFinished)
          responses.push(await call('POST', '/query', { query: 'SELECT id, stars FROM films', mode: 'sql' }));
      })();
      for (const columns of [['stars'], [], ['stars', 'seen'], ['stars']]) {
        await setNumbers(columns);
        await callUntil(
          readOne,
          ({ json }) =>
            json.stars === (columns.includes('stars') ? 5 : true) &&
            json.seen === (columns.includes('seen') ? 1 : true),
          1_000,
        );
        await pause(50);
      }
      isFinished = true;
      await Promise.all([...probers, querier]);
      expect(responses.length).toBeGreaterThan(20);
      expect(responses.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    });

    it('a number column is returned and filtered as a number by every endpoint', async () => {
      const stars = [5, -1, 1, null];
      expect((await call('GET', '/films?sort=id')).json.map((film: { stars: number }) => film.stars)).toEqual(
        stars,
      );
      expect((await call('GET', '/films?stars__gt=1')).json).toMatchObject([{ id: 1, stars: 5, seen: true }]);
      expect(
        (await call('GET', '/films?stars__in=-1,5&sort=stars')).json.map((film: { id: number }) => film.id),
      ).toEqual([2, 1]);
      expect((await call('GET', '/films?stars=true')).status).toBe(422);
      expect((await call('GET', '/films?id=2&include=parent')).json).toMatchObject([
        { stars: -1, parent: { stars: 5, seen: true } },
      ]);
      expect(
        (await call('GET', '/films?stars__lt=0&_count=exact&limit=1')).headers.get('x-total-count'),
      ).toBe('1');
      expect(
        (await call('GET', '/films?_aggregate=max:stars,count&_group=stars&sort=stars')).json[0],
      ).toMatchObject({ stars: null });
      expect((await call('POST', '/_search/films', { stars: 5 })).json).toMatchObject([{ stars: 5 }]);
      expect((await call('GET', '/films?_distinct=stars&sort=stars')).text).toContain('5');
      expect(
        (await call('GET', '/films?_select=stars&sort=id', undefined, { accept: 'text/csv' })).text,
      ).toBe('stars\r\n5\r\n-1\r\n1\r\n\r\n');
      expect(
        (
          await call('GET', '/films?_select=stars&id=1', undefined, { accept: 'application/x-ndjson' })
        ).text.trim(),
      ).toBe('{"stars":5}');
      expect(
        (await call('POST', '/query', { query: 'SELECT stars, seen FROM films WHERE id = 1', mode: 'sql' }))
          .json,
      ).toEqual([{ stars: 5, seen: true }]);
      expect(
        (await call('POST', '/query', { query: 'films with more than 4 stars', mode: 'plain' })).status,
      ).toBeLessThan(500);
    });

    it('a number column stores the numbers of a TINYINT unchanged', async () => {
      expect(await call('POST', '/films', { stars: 7 })).toMatchObject({
        status: 201,
        json: { stars: 7, seen: false },
      });
      expect(await call('PATCH', '/films/4', { stars: { $inc: 2 }, seen: true })).toMatchObject({
        status: 200,
      });
      expect(await call('PATCH', '/films/3', { stars: -128 })).toMatchObject({
        status: 200,
        json: { stars: -128 },
      });
      expect((await call('PATCH', '/films/3', { stars: 128 })).status).toBe(422);
      expect((await call('PATCH', '/films/3', { stars: true })).status).toBe(422);
      expect(await call('PATCH', '/films/3', { stars: 1 })).toMatchObject({ json: { stars: 1 } });
    });

    it('OpenAPI and MCP tools describe a number column as an integer', async () => {
      const document = (await call('GET', '/openapi.json')).json;
      const properties = Object.values(
        document.components.schemas as Record<string, { properties?: Record<string, unknown> }>,
      ).find((item) => item.properties?.['stars'] !== undefined)?.properties;
      expect(JSON.stringify(properties?.['stars'])).toContain('integer');
      expect(JSON.stringify(properties?.['seen'])).toContain('boolean');
      const described = (await call('GET', '/schema')).text;
      expect(described).toMatch(/"stars"[^}]*integer/);
      const client = await openMcp(stage.gateway.url, key);
      expect((await client.call('read_records', { table: 'films', id: 1 })).reported).toMatchObject({
        record: { stars: 5, seen: true },
      });
      expect(
        (await client.call('get_schema', { tables: ['films'] })).fenced.tables[0].columns
          .slice(1, 3)
          .map((column: { type: string }) => column.type),
      ).toEqual(['tinyint', 'tinyint(1)']);
      await client.close();
    });
  },
);
