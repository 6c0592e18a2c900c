import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { listDiffering } from './fingerprints.js';

const snapshotOf = (tables: Readonly<Record<string, string>>) =>
  nameSnapshot(
    {
      engine: 'mariadb',
      tables: Object.entries(tables).map(([name, type]) => rawTable(name, [rawColumn('id', type)])),
    },
    null,
  );

it('the schema comparison lists different, added and removed tables among the given names', () => {
  const [before, after] = [
    snapshotOf({ same: 'int', changed: 'int', gone: 'int' }),
    snapshotOf({ same: 'int', changed: 'bigint', come: 'int' }),
  ];
  expect(listDiffering(before, after).sort()).toEqual(['changed', 'come', 'gone']);
  expect(listDiffering(before, after, new Set(['gone', 'same', 'never']))).toEqual(['gone']);
  expect(listDiffering(before, before)).toEqual([]);
});

it('the schema comparison lists different, added and removed routines', () => {
  const routine = (name: string, body: string) => ({
    name,
    kind: 'procedure' as const,
    createSql: `CREATE PROCEDURE \`${name}\`() ${body}`,
  });
  const before = {
    ...snapshotOf({ same: 'int' }),
    routines: [
      routine('same', 'SET @a = 1'),
      routine('changed', 'SET @a = 1'),
      routine('gone', 'SET @a = 1'),
    ],
  };
  const after = {
    ...snapshotOf({ same: 'int' }),
    routines: [routine('same', 'SET @a = 1'), routine('changed', 'SET @a = 2')],
  };
  expect(listDiffering(before, after)).toEqual(['changed', 'gone']);
  expect(listDiffering(after, after)).toEqual([]);
});
