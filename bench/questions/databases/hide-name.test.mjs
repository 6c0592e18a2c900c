// @ts-check
import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { chooseName, hideName } from './hide-name.mjs';

const tables = [
  rawTable('ships', [rawColumn('id', 'int(11)'), rawColumn('tonnage', 'int(11)')]),
  rawTable('crews', [rawColumn('id', 'int(11)'), rawColumn('ship_id', 'int(11)')], {
    foreignKeys: [foreignKey('crews', 'ship_id', 'ships')],
  }),
];
const snapshot = nameSnapshot({ engine: 'mariadb', tables }, null);

it('hideName replaces a name in the whole schema, and the name can be restored', () => {
  const hidden = hideName(
    { snapshot, values: [{ table: 'ships', column: 'tonnage', values: ['9'] }] },
    { table: 'ships', column: null },
  );
  expect(
    JSON.stringify(
      hidden.snapshot.tables.map(({ name, foreignKeys }) => [
        name,
        ...foreignKeys.map((key) => key.referencedTable),
      ]),
    ),
  ).toBe('[["crews","vexqor"],["vexqor"]]');
  expect(hidden.values).toEqual([{ table: 'vexqor', column: 'tonnage', values: ['9'] }]);
  expect(hidden.reveal('SELECT t1.`tonnage` FROM `vexqor` AS t1')).toBe(
    'SELECT t1.`tonnage` FROM `ships` AS t1',
  );
});

it('the name to hide occurs in the expected SQL and is never a key', () => {
  const chosen = ['a', 'b', 'c', 'd', 'e'].map((question) =>
    chooseName(snapshot, { question, sql: "SELECT id FROM ships WHERE tonnage > 9 OR id = 'crews'" }),
  );
  expect(new Set(chosen.map((item) => item?.column ?? item?.table))).toEqual(new Set(['ships', 'tonnage']));
  expect(chooseName(snapshot, { question: 'a', sql: 'SELECT 1' })).toBeNull();
});
