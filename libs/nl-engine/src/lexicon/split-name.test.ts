import { expect, it } from 'vitest';
import { splitName } from './split-name.js';

it('splitName splits a name without separators after a word that starts another name', () => {
  const known = new Set(['club', 'clubs', 'district', 'manager', 'zone']);
  expect(splitName('clubname', known)).toEqual(['club', 'name']);
  expect(splitName('distname', known)).toEqual(['dist', 'name']);
  expect(splitName('managname', known)).toEqual(['manag', 'name']);
  for (const name of ['aaaname', 'clzname', 'zzzname', 'zonedname'])
    expect(splitName(name, known), name).toEqual([name]);
});
