import { expect, it } from 'vitest';
import { repairReferences } from './repair-references.mjs';

/** @param {string} table @param {string} name @param {boolean} [isUnique] */
const column = (table, name, isUnique = false) => ({
  table,
  name,
  sqlType: 'INT',
  pool: [],
  isKey: isUnique,
  isUnique,
  isSpread: false,
  isOwn: false,
});

it('repairReferences gives an added row new values in unique columns', () => {
  const cities = {
    name: 'cities',
    columns: [
      column('cities', 'id', true),
      { ...column('cities', 'size'), isSpread: true, pool: [10, 20, 30] },
    ],
    rows: [[1, 10]],
  };
  const people = { name: 'people', columns: [column('people', 'city_id')], rows: [[2]] };
  repairReferences({ foreign_keys: [{ from: ['people', 'city_id'], to: ['cities', 'id'] }] }, [
    cities,
    people,
  ]);
  expect(cities.rows).toEqual([
    [1, 10],
    [2, 20],
  ]);
});

it('repairReferences adds referenced rows that are missing, also those of added rows', () => {
  const countries = { name: 'countries', columns: [column('countries', 'id', true)], rows: [[1]] };
  const cities = {
    name: 'cities',
    columns: [column('cities', 'id', true), column('cities', 'name', true), column('cities', 'country_id')],
    rows: [[1, 'Oslo', 2]],
  };
  const people = { name: 'people', columns: [column('people', 'city_id')], rows: [[1], [7], [null]] };
  repairReferences(
    {
      foreign_keys: [
        { from: ['people', 'city_id'], to: ['cities', 'id'] },
        { from: ['cities', 'country_id'], to: ['countries', 'id'] },
      ],
    },
    [countries, cities, people],
  );
  expect(cities.rows).toEqual([
    [1, 'Oslo', 2],
    [7, 'Oslo 1', 2],
  ]);
  expect(countries.rows).toEqual([[1], [2]]);
});
