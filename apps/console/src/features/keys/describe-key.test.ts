import { expect, it } from 'vitest';
import { describeBounds, describeKeyName, describeTables, listScopes, toBounds, toExpiry } from './describe-key.js';

it('names a key by environment and last four', () => {
  expect(describeKeyName('production', 'aB3x')).toBe('rh_prod_…aB3x');
  expect(describeKeyName('staging', 'aB3x')).toBe('rh_staging_…aB3x');
});

it('says which tables a key reaches', () => {
  expect(describeTables({ scopes: ['read'], tables: null })).toBe('all tables');
  expect(describeTables({ scopes: ['read', 'write'], tables: { posts: ['read', 'write'], tags: ['read'] } })).toBe('posts (read, write), tags (read)');
});

it('tells no right of rows that a key of some tables does not have', () => {
  const narrowed: Parameters<typeof listScopes>[0] = { scopes: ['read', 'query', 'schema'], tables: { posts: ['read', 'write'], tags: ['delete'] } };
  expect(listScopes(narrowed)).toEqual(['query', 'schema']);
  expect(describeTables(narrowed)).toBe('posts (read), tags (nothing)');
  expect(listScopes({ scopes: ['read', 'query'], tables: null })).toEqual(['read', 'query']);
});

it('bounds a key by what was filled in', () => {
  expect(toBounds(' https://a.example,https://b.example ', '5', '20000')).toEqual({ origins: ['https://a.example', 'https://b.example'], rate: { per_second: 5, burst: 10 }, rows_examined_max: 20_000 });
  expect(toBounds('', '', '')).toEqual({});
});

it('counts expiry from now', () => {
  expect(toExpiry('', 0)).toBeUndefined();
  expect(toExpiry('7', Date.UTC(2026, 0, 1))).toBe('2026-01-08T00:00:00.000Z');
});

it('says what bounds a key', () => {
  expect(describeBounds({ origins: ['https://a.example'], rate: { per_second: 5, burst: 10 }, rows_examined_max: 20_000 })).toBe('only from https://a.example; 5 requests a second; 20,000 rows a statement');
  expect(describeBounds({ origins: null, rate: null, rows_examined_max: null })).toBe('');
});
