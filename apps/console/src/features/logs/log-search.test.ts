import { expect, it } from 'vitest';
import { readLogSearch, toRequestFilter } from './log-search.js';

it('the log page reads valid filters from the URL', () => {
  expect(
    readLogSearch({ status: 404, route: 'GET /posts', slow: '250', range: '1h', live: true, more: 'x' }),
  ).toEqual({ status: '404', route: 'GET /posts', slow: 250, range: '1h', live: true });
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
