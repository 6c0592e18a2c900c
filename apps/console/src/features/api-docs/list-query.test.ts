import { expect, it } from 'vitest';
import { readListQuery, writeListQuery } from './list-query.js';

it('a list query in the API docs is written as the gateway reads it', () => {
  const query = {
    filters: [
      { column: 'title', operator: 'icontains', value: 'a & b' },
      { column: 'user_id', operator: 'eq', value: '3' },
    ],
    sort: '-id',
    include: 'user',
    limit: '5',
  };
  expect(writeListQuery(query)).toBe('title__icontains=a%20%26%20b&user_id=3&sort=-id&include=user&limit=5');
  expect(readListQuery(writeListQuery(query))).toEqual(query);
});

it('a list query in the API docs quotes unusual names', () => {
  const query = {
    filters: [
      { column: 'odd name', operator: 'gt', value: '1' },
      { column: 'a`b__eq', operator: 'eq', value: '2' },
    ],
    sort: '-`odd name`',
    include: '',
    limit: '',
  };
  expect(writeListQuery(query)).toBe(
    '%60odd%20name%60__gt=1&%60a%60%60b__eq%60__eq=2&sort=-%60odd%20name%60',
  );
  expect(readListQuery(writeListQuery(query))).toEqual(query);
});

it('a column whose name is reserved in the data API is filtered with an explicit operator', () => {
  const query = {
    filters: ['limit', 'order', '_x', 'a__like'].map((column) => ({ column, operator: 'eq', value: '1' })),
    sort: '',
    include: '',
    limit: '',
  };
  expect(writeListQuery(query)).toBe('limit__eq=1&order__eq=1&_x__eq=1&a__like__eq=1');
  expect(readListQuery(writeListQuery(query))).toEqual(query);
});

it('a list query in the API docs omits unfinished conditions', () => {
  expect(
    writeListQuery({
      filters: [{ column: 'id', operator: 'gt', value: '' }],
      sort: '',
      include: '',
      limit: '',
    }),
  ).toBe('');
  expect(readListQuery('odd__name=1').filters).toEqual([{ column: 'odd__name', operator: 'eq', value: '1' }]);
});
