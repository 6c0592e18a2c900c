// @ts-check
import { expect, it } from 'vitest';
import { plantLiterals } from './plant-literals.mjs';

/** @param {string[]} values */
function makeTable(values) {
  return {
    name: 'Foods',
    columns: [
      {
        table: 'Foods',
        name: 'Kind',
        sqlType: 'VARCHAR(200)',
        pool: [],
        isKey: false,
        isUnique: false,
        isSpread: false,
        isOwn: true,
      },
    ],
    rows: values.map((value) => [value]),
  };
}
const literals = new Map([
  ['foods.kind', ['milk', 'Egg', 'milk'].map((text) => ({ text, isPattern: false, isNumber: false }))],
]);

it.each([
  [
    ['Milk', 'Cedar', 'Birch'],
    ['Milk', 'Egg', 'Birch'],
  ],
  [
    ['Milk', 'Milk', 'Egg'],
    ['Milk', 'Milk', 'Egg'],
  ],
  [
    ['Milk', 'Milk', 'Milk'],
    ['Egg', 'Milk', 'Milk'],
  ],
])(
  'plantLiterals changes the values %j so that the column contains the searched literals',
  (before, after) => {
    const table = makeTable(before);
    plantLiterals([table], literals);
    expect(table.rows.map(([value]) => value)).toEqual(after);
  },
);
