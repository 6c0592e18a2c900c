import { expect, it } from 'vitest';
import { readTables, type ColumnView } from '../schema/read-tables.js';
import { describeType, widthOf } from './column-kinds.js';

const [TABLE] = readTables([
  {
    name: 't',
    primary_key: ['id'],
    columns: [
      { name: 'id', type: 'int(11)', value_kind: 'integer', auto_increment: true },
      { name: 'user_id', type: 'int(11)', value_kind: 'integer' },
      { name: 'a_name_that_is_long', type: 'int', value_kind: 'integer', nullable: true },
      { name: 'kind', type: "enum('a','b')", value_kind: 'enum', nullable: true },
      { name: 'x', type: `varchar(9)${' '.repeat(90)}`, value_kind: 'string' },
    ],
  },
]);
const of = (name: string): ColumnView => TABLE?.columns.find((column) => column.name === name) as ColumnView;

it('describeType returns the type of a column, and `required` if a new row needs a value', () => {
  expect(['id', 'user_id', 'kind'].map((name) => describeType(of(name)))).toEqual([
    'int',
    'int · required',
    'enum',
  ]);
});

it('the width of a grid column fits its name and type up to a limit', () => {
  expect(widthOf(of('id'))).toBe(110);
  expect(widthOf(of('user_id'))).toBeGreaterThan(110);
  expect(widthOf(of('a_name_that_is_long'))).toBe(216);
  expect(widthOf(of('x'))).toBe(320);
});
