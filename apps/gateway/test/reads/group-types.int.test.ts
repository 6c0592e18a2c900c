import { COLUMN_TYPES } from '@rowhouse/schema-model/testing';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const FUNCTIONS = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max'];
const PARTS = ['year', 'quarter', 'month', 'week', 'day', 'hour'];

/** Returns two values of a type as SQL. The first is stored twice. */
function literals(type: string): [string, string] {
  if (/^enum/.test(type)) return ["'paid'", "'on hold'"];
  if (/^set/.test(type)) return ["'red,blue'", "''"];
  if (/^(char|varchar|tinytext|text|mediumtext|longtext)/.test(type)) return ["'Bob'", "''"];
  if (/^datetime|^timestamp/.test(type)) return ["'2026-01-31 23:59:59.5'", "'2024-02-29 00:00:00'"];
  if (/^date/.test(type)) return ["'2026-01-31'", "'2024-02-29'"];
  if (/^time/.test(type)) return ["'-25:00:00.5'", "'10:00:00'"];
  if (/^year/.test(type)) return ['2026', '1999'];
  if (/^(binary|varbinary|tinyblob|blob)/.test(type)) return ["X'00FF10AB'", "X'20202020'"];
  if (type === 'json') return ['\'{"a": 1}\'', "'[]'"];
  if (type === 'linestring')
    return ["ST_GeomFromText('LINESTRING(0 0, 1 1)')", "ST_GeomFromText('LINESTRING(0 0, 2 2)')"];
  if (type === 'polygon')
    return [
      "ST_GeomFromText('POLYGON((0 0, 1 0, 1 1, 0 0))')",
      "ST_GeomFromText('POLYGON((0 0, 2 0, 2 2, 0 0))')",
    ];
  if (/^(point|geometry)/.test(type))
    return ["ST_GeomFromText('POINT(1 2)')", "ST_GeomFromText('POINT(3 4)')"];
  if (type === 'uuid')
    return ["'123e4567-e89b-12d3-a456-426614174000'", "'00000000-0000-0000-0000-000000000000'"];
  if (/^inet/.test(type))
    return [type === 'inet4' ? "'10.0.0.1'" : "'::1'", type === 'inet4' ? "'1.2.3.4'" : "'fe80::1'"];
  if (/^vector/.test(type)) return ["TO_VECTOR('[1,2,3]')", "TO_VECTOR('[4,5,6]')"];
  if (/^(float|double)/.test(type)) return ['1.1', '-0.25'];
  return ['1', '0'];
}

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'groups by columns of every type on %s',
  (name, engine) => {
    const types = COLUMN_TYPES[name];
    let cell: TestCell;
    let gateway: TestGateway;
    let tenant: TestTenant;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      const columns = types.map((type, index) => `c${index} ${type} NULL`);
      const rows = [0, 0, 1].map((which) => `(${types.map((type) => literals(type)[which]).join(', ')})`);
      tenant = await cell.addTenant({
        ddl: [`CREATE TABLE things (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, ${columns.join(', ')})`],
        rows: [
          `INSERT INTO things (${types.map((_, index) => `c${index}`).join(', ')}) VALUES ${rows.join(', ')}`,
          'INSERT INTO things () VALUES ()',
        ],
      });
      gateway = await cell.startGateway();
    });

    afterAll(() => cell?.stop());

    const get = (query: string): Promise<TestResponse> =>
      callGateway(gateway.url, 'GET', `/v1/-/things?${query}`, { key: tenant.key });

    it.each(types.map((type, index) => [type, `c${index}`]))(
      'records can be grouped by a column of %s',
      async (type, column) => {
        for (const name of FUNCTIONS) {
          const response = await get(`_aggregate=n:${name}:${column}`);
          expect(
            [name, response.status === 200 || response.json.detail[0].type === 'not_computable'],
            response.text,
          ).toEqual([name, true]);
          if (response.status !== 200) continue;
          const value = response.json[0].n;
          if (name === 'count') expect(value).toBe(3);
          if (name === 'count_distinct') expect(value).toBe(2);
          // Filtering by the returned value finds exactly the group that it came from.
          const retained = await get(
            `_aggregate=n:${name}:${column}&_having=${encodeURIComponent(response.text.slice(1, -1))}`,
          );
          expect([name, retained.text]).toEqual([name, response.text]);
        }
        const groups = await get(`_group=g:${column}&_aggregate=n:count`);
        if (groups.status !== 200) expect(groups.json.detail[0].type, groups.text).toBe('not_groupable');
        else {
          expect(groups.json.map((row: { n: number }) => row.n).sort(), groups.text).toEqual([1, 1, 2]);
          for (const text of groups.text.slice(1, -1).split(/(?<=\}),(?=\{)/)) {
            const retained = await get(
              `_group=g:${column}&_aggregate=n:count&_having=${encodeURIComponent(text.replace(/,"n":.*$/, '}'))}`,
            );
            expect([type, retained.text]).toEqual([type, `[${text}]`]);
          }
        }
        for (const part of PARTS) {
          const response = await get(`_group=g:${column}:${part}&_aggregate=n:count`);
          const isDay = /^(date|datetime|timestamp)/.test(type) && (part !== 'hour' || !/^date$/.test(type));
          expect([part, response.status]).toEqual([part, isDay ? 200 : 422]);
          if (!isDay) continue;
          expect(response.json.map((row: { n: number }) => row.n)).toEqual([1, 1, 2]);
          const [, first] = response.json;
          expect(
            (
              await get(
                `_group=g:${column}:${part}&_aggregate=n:count&_having=${encodeURIComponent(JSON.stringify({ g: first.g }))}`,
              )
            ).json,
          ).toEqual([first]);
        }
      },
    );
  },
);
