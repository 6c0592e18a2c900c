import { expect, it } from 'vitest';
import { CutValue, UNREAD } from '../../../data/rows/cell-text.js';
import { readTables, type ColumnView } from '../../../data/schema/read-tables.js';
import { describeCell } from './describe-cell.js';

const [table] = readTables([
  {
    name: 't',
    primary_key: ['id'],
    columns: [
      { name: 'id', type: 'int', value_kind: 'integer', auto_increment: true },
      { name: 'note', type: 'text', value_kind: 'string', nullable: true },
      { name: 'doc', type: 'json', value_kind: 'json' },
      { name: 'bytes', type: 'blob', value_kind: 'binary' },
    ],
  },
]);
const columnOf = (name: string) => table?.columns.find((column) => column.name === name) as ColumnView;

it.each([
  ['note', UNREAD, { tone: 'unread', text: '', size: null }],
  ['note', null, { tone: 'quiet', text: 'NULL', size: null }],
  ['note', undefined, { tone: 'quiet', text: '', size: null }],
  ['id', undefined, { tone: 'quiet', text: 'default', size: null }],
  ['note', '', { tone: 'quiet', text: 'empty', size: null }],
  ['note', 'one \n two', { tone: 'plain', text: 'one ↵ two', size: null }],
  ['note', new CutValue('begin', 2_003, 'characters'), { tone: 'plain', text: 'begin', size: '2,003 chars' }],
  ['note', new CutValue('all', 3, 'characters'), { tone: 'plain', text: 'all', size: null }],
  ['doc', { a: [1] }, { tone: 'mono', text: '{"a":[1]}', size: null }],
  ['bytes', 'AAECAw==', { tone: 'mono', text: '00010203', size: '4 bytes' }],
  ['bytes', new CutValue('0A0B', 5_000, 'bytes'), { tone: 'mono', text: '0a0b…', size: '5 kB' }],
  ['bytes', '', { tone: 'quiet', text: 'empty', size: null }],
])('a cell of the column %s shows %j', (name, value, visible) => {
  expect(describeCell(columnOf(name), value)).toEqual(visible);
});

it('a grid cell shows only the beginning of a long value', () => {
  expect(describeCell(columnOf('note'), 'x'.repeat(5_000)).text).toHaveLength(300);
});
