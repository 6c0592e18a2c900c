import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { buildGraph } from './table-graph.js';

const id = rawColumn('id', 'int(11)');

it('guesses keys by the names of columns, in whatever part the row plays', () => {
  const { tables } = nameSnapshot({ engine: 'mariadb', tables: [rawTable('stations', [id]), rawTable('trips', [id, rawColumn('start_station_id', 'int(11)'), rawColumn('end_station_id', 'int(11)'), rawColumn('bike_id', 'int(11)')]), rawTable('bikes', [id])] }, null);
  const graph = buildGraph({ ...nameSnapshot({ engine: 'mariadb', tables: [] }, null), tables });
  const [stations, trips, bikes] = tables;
  const keysTo = (table: typeof stations): string[] => (trips === undefined || table === undefined ? [] : graph.findPaths(trips, table).flatMap((path) => path.flatMap((edge) => edge.fromColumns)));
  expect(keysTo(stations)).toEqual(['start_station_id', 'end_station_id']);
  expect(keysTo(bikes)).toEqual(['bike_id']);
});
