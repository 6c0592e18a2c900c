import { expect, it } from 'vitest';
import { fillBuckets } from './usage-chart.js';

it('the usage chart shows periods without requests as empty buckets', () => {
  const item = {
    at: '2026-01-01T11:00:00.000Z',
    requests: 5,
    errors: 1,
    limited: 2,
    rows_out: 0,
    bytes_out: 0,
    mean_ms: 1,
  };
  const buckets = fillBuckets([item], 'hour', '2026-01-01T10:30:00.000Z', '2026-01-01T12:30:00.000Z');
  expect(
    buckets.map((bucket) => [new Date(bucket.atMs).getUTCHours(), bucket.requests, bucket.marked]),
  ).toEqual([
    [10, 0, 0],
    [11, 5, 3],
    [12, 0, 0],
  ]);
});
