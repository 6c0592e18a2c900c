import { describe, expect, it } from 'vitest';
import { readTables } from '../../data/schema/read-tables.js';
import { makeSampleRow } from './make-sample-row.js';
import { pickSampleTable, pickWritableTable } from './pick-sample-table.js';

const TABLES = readTables([
  {
    name: 'posts',
    primary_key: 'id',
    columns: [
      { name: 'id', type: 'int', auto_increment: true },
      { name: 'title', type: 'varchar', max_length: 5 },
      { name: 'user_id', type: 'int', value_kind: 'integer', references: { table: 'users', column: 'id' } },
      { name: 'bio', type: 'text', nullable: true },
    ],
  },
  {
    name: 'users',
    primary_key: 'id',
    columns: [
      { name: 'id', type: 'int', auto_increment: true },
      { name: 'email', type: 'varchar', max_length: 255 },
      { name: 'role', type: 'enum', enum: ['admin', 'member'] },
      { name: 'created_at', type: 'timestamp', default: 'current_timestamp()' },
    ],
  },
]);

describe('sample rows and tables', () => {
  it('makeSampleRow fills each required column with a value within its length', () => {
    expect(TABLES.map(makeSampleRow)).toEqual([
      { title: 'Hello', user_id: 1 },
      { email: 'ada@example.com', role: 'admin' },
    ]);
  });

  it('makeSampleRow returns values that fit the column types, and none for computed columns', () => {
    const column = (name: string, type: string, kind: string, more: object = {}) => ({
      name,
      type,
      value_kind: kind,
      ...more,
    });
    const [table] = readTables([
      {
        name: 'shops',
        columns: [
          column('place', 'point', 'geometry'),
          column('opened', 'year(4)', 'year'),
          column('marks', "set('a','b')", 'set', { enum: ['a', 'b'] }),
          column('picture', 'blob', 'binary'),
          column('data', 'longtext', 'json'),
          column('address', 'inet6', 'inet'),
          column('area', 'int(11)', 'integer', { generated: 'stored' }),
          column('printed_at', 'varchar(20)', 'string'),
        ],
      },
    ]);
    expect(table === undefined ? null : makeSampleRow(table)).toEqual({
      place: { type: 'Point', coordinates: [4.9, 52.37] },
      opened: 2026,
      marks: ['a'],
      picture: 'AQID',
      data: {},
      address: '2001:db8::1',
      printed_at: 'text',
    });
  });

  it('the read snippet prefers the table posts, and the create snippet a table without parents', () => {
    expect(pickSampleTable(TABLES)?.name).toBe('posts');
    expect(pickWritableTable(TABLES)?.name).toBe('users');
    expect(pickSampleTable([])).toBeNull();
  });
});
