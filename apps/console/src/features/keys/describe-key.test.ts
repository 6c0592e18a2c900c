import { expect, it } from 'vitest';
import {
  describeBounds,
  describeDisuse,
  describeKeyName,
  describeTables,
  KEY_PRESETS,
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

it('a new API key starts with the fewest rights, and no common use lets it write with SQL', () => {
  expect(KEY_PRESETS[0]?.scopes).toEqual(['read']);
  expect(KEY_PRESETS.filter((preset) => preset.scopes.includes('query:write'))).toEqual([]);
});

it('the key page hints at an API key that was not used for 30 days', () => {
  const now = Date.UTC(2026, 2, 1);
  const of = (created_at: string, last_used_at: string | null) =>
    describeDisuse({ created_at, last_used_at }, now);
  expect(of('2026-02-20T00:00:00Z', null)).toBeNull();
  expect(of('2025-01-01T00:00:00Z', '2026-02-27T00:00:00Z')).toBeNull();
  expect(of('2026-01-01T00:00:00Z', null)).toContain('Never used');
  expect(of('2025-01-01T00:00:00Z', '2026-01-20T00:00:00Z')).toContain('Not used for 40 days');
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
