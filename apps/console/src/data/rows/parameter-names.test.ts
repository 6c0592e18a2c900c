import { expect, it } from 'vitest';
import { readParameterName, readSort, writeParameterName, writeSort } from './parameter-names.js';

const ODD = ['odd name', 'a,b', '-x', 'a`b', '`', 'größe', 'a.b', '1st'];

it('a query parameter for a column name with special characters is quoted and read back', () => {
  expect([writeParameterName('title'), writeParameterName('a`b'), writeParameterName('-x')]).toEqual([
    'title',
    '`a``b`',
    '`-x`',
  ]);
  for (const name of ['title', '_x', ...ODD]) expect(readParameterName(writeParameterName(name))).toBe(name);
  expect(['user.name', '`a', '`a`.b', '``'].map(readParameterName)).toEqual([
    'user.name',
    '`a',
    '`a`.b',
    '``',
  ]);
});

it('a sort is written in both directions and read back', () => {
  expect(writeSort({ column: 'odd name', isDescending: true })).toBe('-`odd name`');
  const terms = ['id', ...ODD].flatMap((column) => [
    { column, isDescending: false },
    { column, isDescending: true },
  ]);
  expect(readSort(terms.map(writeSort).join(','))).toEqual(terms);
});

it('readSort skips invalid parts of a sort parameter', () => {
  expect(readSort(undefined)).toEqual([]);
  expect(readSort(',-,id,,-user.name')).toEqual([
    { column: 'id', isDescending: false },
    { column: 'user.name', isDescending: true },
  ]);
});
