import { describe, expect, it } from 'vitest';
import { readTables } from '../../data/schema/read-tables.js';
import { makeSampleRow } from './make-sample-row.js';
import { pickSampleTable, pickWritableTable } from './pick-sample-table.js';

const TABLES = readTables([
  {
    name: 'posts', primary_key: 'id',
    columns: [
      { name: 'id', type: 'int', auto_increment: true },
      { name: 'title', type: 'varchar', max_length: 5 },
      { name: 'user_id', type: 'int', references: { table: 'users', column: 'id' } },
      { name: 'bio', type: 'text', nullable: true },
    ],
  },
  {
    name: 'users', primary_key: 'id',
    columns: [
      { name: 'id', type: 'int', auto_increment: true },
      { name: 'email', type: 'varchar', max_length: 255 },
      { name: 'role', type: 'enum', enum: ['admin', 'member'] },
      { name: 'created_at', type: 'timestamp', default: 'current_timestamp()' },
    ],
  },
]);

describe('sample rows and tables', () => {
  it('gives the columns that must be given, within their length', () => {
    expect(TABLES.map(makeSampleRow)).toEqual([{ title: 'Hello', user_id: 1 }, { email: 'ada@example.com', role: 'admin' }]);
  });

  it('reads posts first and writes where no other row is needed', () => {
    expect(pickSampleTable(TABLES)?.name).toBe('posts');
    expect(pickWritableTable(TABLES)?.name).toBe('users');
    expect(pickSampleTable([])).toBeNull();
  });
});
