import { expect, it } from 'vitest';
import { findP95 } from './overview-tiles.js';

it('the overview weights the p95 latency of a route by its number of requests', () => {
  const route = (requests: number, p95_ms: number) => ({
    route: '',
    requests,
    errors: 0,
    refused: 0,
    mean_ms: 0,
    p50_ms: 0,
    p95_ms,
    rows_out: 0,
  });
  expect(findP95([])).toBeNull();
  expect(findP95([route(9, 10), route(1, 110)])).toBe(20);
});
