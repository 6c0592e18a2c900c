import { expect, it } from 'vitest';
import { DumpDatabase } from './dump-database.js';

it('the first database that a dump names is its own, except for a system database', () => {
  const database = new DumpDatabase();
  expect([database.adopt('mysql'), database.findOther()]).toEqual([false, null]);
  database.enter('Shop');
  expect([database.name, database.adopt('shop'), database.adopt('other'), database.findOther()]).toEqual([
    'Shop',
    true,
    false,
    null,
  ]);
  database.enter('other');
  expect([database.findOther(), database.adopt('SHOP')]).toEqual(['other', true]);
});
