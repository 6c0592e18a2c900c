import { expect, it } from 'vitest';
import { CutValue, UNREAD } from '../../../data/rows/cell-text.js';
import { readTables } from '../../../data/schema/read-tables.js';
import { filterByValue, moveName, toChosen } from './arrange-columns.js';

const kinds = { id: 'integer', tags: 'set', doc: 'json' };
const [table] = readTables([
  {
    name: 't',
    columns: Object.entries(kinds).map(([name, kind]) => ({ name, type: kind, value_kind: kind })),
  },
]);
const columns = table?.columns ?? [];
const of = (name: string) => {
  const column = columns.find((candidate) => candidate.name === name);
  if (column === undefined) throw new Error(`no column ${name}`);
  return column;
};

it('a column moves by one position and stays in place at the edges', () => {
  expect(moveName(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c']);
  expect(moveName(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b']);
  expect(moveName(['a', 'b'], 'a', -1)).toEqual(['a', 'b']);
  expect(moveName(['a', 'b'], 'b', 1)).toEqual(['a', 'b']);
});

it('the columns in the order of the table are stored as no selection', () => {
  expect(toChosen(['id', 'tags', 'doc'], columns)).toBeNull();
  expect(toChosen(['tags', 'id', 'doc'], columns)).toEqual(['tags', 'id', 'doc']);
  expect(toChosen(['id'], columns)).toEqual(['id']);
});

it('filterByValue returns a filter for a complete value, and null for other values', () => {
  expect(filterByValue(of('id'), '7')).toEqual(['id', 'eq', '7']);
  expect(filterByValue(of('id'), null)).toEqual(['id', 'isnull', 'true']);
  expect(filterByValue(of('tags'), ['x', 'y'])).toEqual(['tags', 'eq', 'x,y']);
  expect(filterByValue(of('doc'), { a: 1 })).toBeNull();
  expect(filterByValue(of('id'), UNREAD)).toBeNull();
  expect(filterByValue(of('id'), new CutValue('x', 9_000, 'characters'))).toBeNull();
});
