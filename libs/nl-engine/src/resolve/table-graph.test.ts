import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { buildGraph } from './table-graph.js';

const id = rawColumn('id', 'int(11)');
const [trips, stations, bikes] = [rawTable('trips', [id, rawColumn('start_station_id', 'int(11)'), rawColumn('end_station_id', 'int(11)'), rawColumn('bike_id', 'int(11)')]), rawTable('stations', [id]), rawTable('bikes', [id])];

it('guesses keys by the names of columns, in whatever part the row plays', () => {
  const snapshot = nameSnapshot({ engine: 'mariadb', tables: [trips, stations, bikes] }, null);
  const graph = buildGraph(snapshot);
  const find = (name: string): (typeof snapshot.tables)[number] | undefined => snapshot.tables.find((table) => table.name === name);
  const keysTo = (name: string): string[] => {
    const [from, to] = [find('trips'), find(name)];
    return from === undefined || to === undefined ? [] : graph.findPaths(from, to).flatMap((path) => path.flatMap((edge) => edge.fromColumns));
  };
  expect(keysTo('stations')).toEqual(['start_station_id', 'end_station_id']);
  expect(keysTo('bikes')).toEqual(['bike_id']);
});
