import { expect, it } from 'vitest';
import { readListQuery, writeListQuery } from './list-query.js';

it('writes a query as the gateway reads it, and reads it back', () => {
  const query = { filters: [{ column: 'title', operator: 'icontains', value: 'a & b' }, { column: 'user_id', operator: 'eq', value: '3' }], sort: '-id', include: 'user', limit: '5' };
  expect(writeListQuery(query)).toBe('title__icontains=a%20%26%20b&user_id=3&sort=-id&include=user&limit=5');
  expect(readListQuery(writeListQuery(query))).toEqual(query);
});

it('leaves out conditions that are not finished, and keeps columns with two underscores', () => {
  expect(writeListQuery({ filters: [{ column: 'id', operator: 'gt', value: '' }], sort: '', include: '', limit: '' })).toBe('');
  expect(readListQuery('odd__name=1').filters).toEqual([{ column: 'odd__name', operator: 'eq', value: '1' }]);
});
