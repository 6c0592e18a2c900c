import { expect, it } from 'vitest';
import {
  describeBounds,
  describeKeyName,
  describeTables,
  listScopes,
  toBounds,
  toExpiry,
} from './describe-key.js';

it('an API key is named by its environment and its last four characters', () => {
  expect(describeKeyName('production', 'aB3x')).toBe('rh_prod_…aB3x');
  expect(describeKeyName('staging', 'aB3x')).toBe('rh_staging_…aB3x');
});

it('the key page describes the tables that an API key may use', () => {
  expect(describeTables({ scopes: ['read'], tables: null })).toBe('all tables');
  expect(
    describeTables({ scopes: ['read', 'write'], tables: { posts: ['read', 'write'], tags: ['read'] } }),
  ).toBe('posts (read, write), tags (read)');
});

it('the key page lists a right of an API key only for the tables that have it', () => {
  const narrowed: Parameters<typeof listScopes>[0] = {
    scopes: ['read', 'query', 'schema'],
    tables: { posts: ['read', 'write'], tags: ['delete'] },
  };
  expect(listScopes(narrowed)).toEqual(['query', 'schema']);
  expect(describeTables(narrowed)).toBe('posts (read), tags (nothing)');
  expect(listScopes({ scopes: ['read', 'query'], tables: null })).toEqual(['read', 'query']);
});

it('a new API key gets only the limits whose form fields are filled in', () => {
  expect(toBounds(' https://a.example,https://b.example ', '5', '20000')).toEqual({
    origins: ['https://a.example', 'https://b.example'],
    rate: { per_second: 5, burst: 10 },
    rows_examined_max: 20_000,
  });
  expect(toBounds('', '', '')).toEqual({});
});

it('the key page describes the expiry of an API key relative to now', () => {
  expect(toExpiry('', 0)).toBeUndefined();
  expect(toExpiry('7', Date.UTC(2026, 0, 1))).toBe('2026-01-08T00:00:00.000Z');
});

it('the key page describes the limits of an API key', () => {
  expect(
    describeBounds({
      origins: ['https://a.example'],
      rate: { per_second: 5, burst: 10 },
      rows_examined_max: 20_000,
    }),
  ).toBe('only from https://a.example; 5 requests per second; 20,000 rows per query');
  expect(describeBounds({ origins: null, rate: null, rows_examined_max: null })).toBe('');
});
