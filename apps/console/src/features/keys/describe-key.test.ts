import { expect, it } from 'vitest';
import {
  describeBounds,
  describeKeyName,
  describeTables,
  listScopes,
  toBounds,
  toExpiry,
} from './describe-key.js';

it('a key is named by its environment and its last four characters', () => {
  expect(describeKeyName('production', 'aB3x')).toBe('rh_prod_…aB3x');
  expect(describeKeyName('staging', 'aB3x')).toBe('rh_staging_…aB3x');
});

it('the tables of a key are described', () => {
  expect(describeTables({ scopes: ['read'], tables: null })).toBe('all tables');
  expect(
    describeTables({ scopes: ['read', 'write'], tables: { posts: ['read', 'write'], tags: ['read'] } }),
  ).toBe('posts (read, write), tags (read)');
});

it('a right of a key is listed only for the tables that have it', () => {
  const narrowed: Parameters<typeof listScopes>[0] = {
    scopes: ['read', 'query', 'schema'],
    tables: { posts: ['read', 'write'], tags: ['delete'] },
  };
  expect(listScopes(narrowed)).toEqual(['query', 'schema']);
  expect(describeTables(narrowed)).toBe('posts (read), tags (nothing)');
  expect(listScopes({ scopes: ['read', 'query'], tables: null })).toEqual(['read', 'query']);
});

it('the limits of a key contain only completed fields', () => {
  expect(toBounds(' https://a.example,https://b.example ', '5', '20000')).toEqual({
    origins: ['https://a.example', 'https://b.example'],
    rate: { per_second: 5, burst: 10 },
    rows_examined_max: 20_000,
  });
  expect(toBounds('', '', '')).toEqual({});
});

it('the expiry of a key is described relative to now', () => {
  expect(toExpiry('', 0)).toBeUndefined();
  expect(toExpiry('7', Date.UTC(2026, 0, 1))).toBe('2026-01-08T00:00:00.000Z');
});

it('the limits of a key are described', () => {
  expect(
    describeBounds({
      origins: ['https://a.example'],
      rate: { per_second: 5, burst: 10 },
      rows_examined_max: 20_000,
    }),
  ).toBe('only from https://a.example; 5 requests per second; 20,000 rows per query');
  expect(describeBounds({ origins: null, rate: null, rows_examined_max: null })).toBe('');
});
