import { expect, it } from 'vitest';
import { readLogSearch } from './log-search.js';
import { toRequestFilter } from './request-filter.js';

it('the log page reads valid filters from the URL', () => {
  expect(
    readLogSearch({
      status: 404,
      route: 'GET /posts',
      slow: '250',
      range: '1h',
      live: true,
      console: true,
      more: 'x',
    }),
  ).toEqual({
    status: '404',
    route: 'GET /posts',
    slow: 250,
    range: '1h',
    live: true,
    console: true,
  });
  expect(readLogSearch({ status: '9xx', slow: -1, range: 'ever', live: 'yes', key: '' })).toEqual({});
});

it('the log page sends the filters of the URL to the server', () => {
  const filter = toRequestFilter({ status: '5xx', slow: 100, range: '1h' }, Date.UTC(2026, 0, 1, 12));
  expect(filter).toMatchObject({
    status: '5xx',
    slow_ms: 100,
    since: '2026-01-01T11:00:00.000Z',
    key: undefined,
  });
});

it('the log page leaves out requests of the console unless a filter names them', () => {
  const sourceOf = (search: Parameters<typeof toRequestFilter>[0]) => toRequestFilter(search, 0).source;
  expect(sourceOf({})).toBe('api');
  expect(sourceOf({ status: '4xx' })).toBe('api');
  expect(sourceOf({ console: true })).toBeUndefined();
  expect(sourceOf({ request: 'req_1' })).toBeUndefined();
  expect(sourceOf({ key: 'key_1' })).toBeUndefined();
});
