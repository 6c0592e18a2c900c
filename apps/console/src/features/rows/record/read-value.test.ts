import { expect, it } from 'vitest';
import { readTables } from '../../../data/schema/read-tables.js';
import { findMissing } from './read-value.js';

const [TABLE] = readTables([
  {
    name: 'posts',
    primary_key: ['id'],
    columns: [
      { name: 'id', type: 'int(11)', value_kind: 'integer', auto_increment: true },
      { name: 'title', type: 'varchar(200)', value_kind: 'string' },
      { name: 'state', type: 'varchar(20)', value_kind: 'string', default: "'new'" },
      { name: 'note', type: 'text', value_kind: 'string', nullable: true },
    ],
  },
]);

it('a new row needs a value in each column without a default', () => {
  const columns = TABLE?.columns ?? [];
  expect(findMissing(columns, {})).toEqual({ title: 'title is required.' });
  expect(findMissing(columns, { title: '' })).toEqual({});
  expect(findMissing([], {})).toEqual({});
});
