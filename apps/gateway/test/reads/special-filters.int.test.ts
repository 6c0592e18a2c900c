import { getTestServers, JSON_FILTERS } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestCell, type TestCell } from '../support/test-cell.js';
import { send, type TypeFixture } from '../types/type-fixture.js';

const servers = getTestServers();

/** Longitude 10, latitude 60. With swapped axes, the point is outside every area used here. */
const PLACES = [{ type: 'Point', coordinates: [10, 60] }, { type: 'Point', coordinates: [30, 60] }, null];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'filters in JSON, text and geometry on %s',
  (name, engine) => {
    const locations = ['place', ...(name === 'mysql' ? ['world', 'flat', 'web', 'mixed'] : [])];
    let cell: TestCell;
    let bench: TypeFixture;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      const own =
        name === 'mysql'
          ? ', world POINT SRID 4326, flat POINT SRID 0, web POINT SRID 3857, mixed GEOMETRY'
          : '';
      const tenant = await cell.addTenant({
        ddl: [
          `CREATE TABLE notes (id int AUTO_INCREMENT PRIMARY KEY, body text NOT NULL, data json, place point${own}, FULLTEXT KEY words (body))`,
        ],
      });
      bench = { cell, tenant, url: (await cell.startGateway()).url };
      const rows = [
        { body: 'green apples and pears', data: { a: { b: 5 }, l: ['x', 10], on: true, 'odd "key.': 1 } },
        { body: 'yellow bananas', data: { a: { b: 'five' }, l: [2], on: false, none: null } },
        { body: 'nothing here', data: null },
      ].map((row, index) => ({
        ...row,
        ...Object.fromEntries(locations.map((column) => [column, PLACES[index]])),
      }));
      const response = await send(bench, 'POST', '/notes', { body: rows });
      expect(response.status, response.text).toBe(201);
      expect(
        response.json.map((row: Record<string, unknown>) => locations.map((column) => row[column])),
      ).toEqual(PLACES.map((location) => locations.map(() => location)));
      // Values in another reference system than GeoJSON's, as other programs store them.
      if (name === 'mysql')
        await cell.root.run(
          `UPDATE ${tenant.schemaName}.notes SET mixed = ST_GeomFromText('POINT(10 60)') WHERE id = 1`,
        );
    });

    afterAll(() => cell?.stop());

    const expectIds = async (query: string, ids: readonly number[]): Promise<void> => {
      const response = await send(
        bench,
        'GET',
        `/notes?_select=id&sort=id&${query.replaceAll(/["{}`> ]/g, encodeURIComponent)}`,
      );
      expect([response.status, response.json], response.text.slice(0, 300)).toEqual([
        200,
        ids.map((id) => ({ id })),
      ]);
    };

    it.each<[string, number[]]>([
      ...JSON_FILTERS,
      ['data->a.b__isnull=true', [3]],
      ['data->none__isnull=true', [1, 2, 3]],
      ['data->a.b__istartswith=FI', [2]],
      ['data->`odd "key.`=1', [1]],
      ['data->a.b__between=4,6', [1]],
      ['data->l.1__not_in=9,11', [1]],
      ['data__isnull=true', [3]],
      ['_q=apples%20bananas', [1, 2]],
      ['_q=*', []],
      ['_q=*%20*', []],
      ['body__search=*', []],
      ['_q=bananas*', [2]],
    ])('the special filter %s finds the expected records', expectIds);

    it('points are found in areas with longitude first, for any reference system', async () => {
      for (const column of locations) {
        await expectIds(`${column}__within=5,55,15,65`, [1]);
        await expectIds(
          `${column}__within={"type":"Polygon","coordinates":[[[25,55],[35,55],[35,65],[25,65],[25,55]]]}`,
          [2],
        );
        await expectIds(`${column}__within=55,5,65,15`, []);
      }
    });

    it('a filter value that is not a geometry of the column is rejected', async () => {
      for (const [body, text] of [
        [
          {
            type: 'LineString',
            coordinates: [
              [0, 0],
              [1, 1],
            ],
          },
          'not LineString',
        ],
        [{ type: 'Point', coordinates: [0, 0, 0] }, 'two numbers'],
        ...(name === 'mysql' ? [[{ type: 'Point', coordinates: [200, 0] }, 'longitude'] as const] : []),
      ] as const) {
        const response = await send(bench, 'POST', '/notes', { body: { body: 'x', place: body } });
        expect(
          [response.status, response.json.code, JSON.stringify(response.json.detail)],
          response.text,
        ).toEqual([422, 'body.invalid', expect.stringContaining(text)]);
      }
      // MySQL checks the range of coordinates.
      expect((await send(bench, 'GET', '/notes?place__within=0,0,500,500')).status).toBe(
        name === 'mysql' ? 422 : 200,
      );
    });
  },
);
