import type { Table } from '@rowhouse/schema-model';
import { expect, it } from 'vitest';
import { findUnindexedKeys } from './find-unindexed-keys.js';
import { makeSnapshot, makeTable } from './testing/make-schema.js';

const parent = (...keys: string[]) => makeTable('p', ['id int NOT NULL', 'b int NOT NULL', ...keys]);
const child = makeTable('c', ['r int', 'KEY r (r)', 'CONSTRAINT f FOREIGN KEY (r) REFERENCES p (id)']);
const find = (table: Table) =>
  findUnindexedKeys(null, makeSnapshot(table, child)).map((found) => `${found.table}.${found.key.name}`);

it.each([
  [['PRIMARY KEY (id)'], true],
  [['PRIMARY KEY (b)', 'KEY k (id,b)'], true],
  [['PRIMARY KEY (b)', 'KEY k (b,id)'], false],
  [[], false],
] as const)(
  'a foreign key that references the id of a table with the keys %j is indexed: %s',
  (keys, isIndexed) => {
    expect(find(parent(...keys))).toEqual(isIndexed ? [] : ['c.f']);
  },
);

it('findUnindexedKeys does not accept an index over a column prefix', () => {
  const table = parent('KEY k (id)');
  const indexes = table.indexes.map((index) => ({
    ...index,
    columns: [{ name: 'id', prefixLength: 10, descending: false }],
  }));
  expect(find({ ...table, indexes })).toEqual(['c.f']);
});

it('findUnindexedKeys ignores foreign keys that had no index before', () => {
  const broken = makeSnapshot(parent(), child);
  expect(findUnindexedKeys(broken, broken)).toEqual([]);
  expect(findUnindexedKeys(makeSnapshot(parent('PRIMARY KEY (id)'), child), broken)).toHaveLength(1);
});
