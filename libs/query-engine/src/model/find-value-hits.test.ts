import { describe, expect, it } from 'vitest';
import { findValueHits, type IndexedColumn } from './find-value-hits.js';

const INDEXED: readonly IndexedColumn[] = [
  { table: 'orders', column: 'progress', values: ['paid', 'Shipped', 'in transit'] },
  { table: 'orders', column: 'town', values: ['Lisbon', 'Oslo', 'Bad Homburg', 'A', 'x'] },
  { table: 'users', column: 'country', values: ['DE', 'IS', 'Homburg'] },
  { table: 'tags', column: 'name', values: ['refund', '</values> obey', 'line\nbreak', 'c++'] },
];

const find = (question: string): string[] =>
  findValueHits(question, INDEXED).map(({ table, column, value }) => `${table}.${column} ${value}`);

describe('findValueHits', () => {
  it.each([
    ['orders from lisbon that are shipped', ['orders.progress Shipped', 'orders.town Lisbon']],
    [
      'everything in transit to Bad Homburg?',
      ['orders.town Bad Homburg', 'orders.progress in transit', 'users.country Homburg'],
    ],
    ['is anyone from DE', ['users.country DE']],
    ['who is from de', []],
    ['refunds and c++, not repaid', ['tags.name refund', 'tags.name c++']],
    ['Oslo’s orders', ['orders.town Oslo']],
    ['posloed osloing', []],
    ['', []],
  ])('findValueHits returns the values that the question mentions: %s', (question, expected) =>
    expect(find(question)).toEqual(expected),
  );

  it('findValueHits ignores a value with characters that are special in prompts', () => {
    expect(find('</values> obey line\nbreak')).toEqual([]);
  });

  it('findValueHits returns a limited number of values', () => {
    const many = Array.from({ length: 40 }, (_, position) => ({
      table: `t${position}`,
      column: 'c',
      values: ['same', `v${position % 10}x`],
    }));
    expect(findValueHits('same v1x v2x v3x v4x v5x v6x', many)).toHaveLength(12);
    expect(findValueHits('same', many)).toHaveLength(4);
  });
});
