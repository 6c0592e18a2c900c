import { expect, it } from 'vitest';
import { splitName } from './split-name.js';

it('takes names that run together apart where some word begins as they do', () => {
  const known = new Set(['club', 'clubs', 'district', 'manager', 'zone']);
  expect(splitName('clubname', known)).toEqual(['club', 'name']);
  expect(splitName('distname', known)).toEqual(['dist', 'name']);
  expect(splitName('managname', known)).toEqual(['manag', 'name']);
  for (const name of ['aaaname', 'clzname', 'zzzname', 'zonedname']) expect(splitName(name, known), name).toEqual([name]);
});
