import { expect, it } from 'vitest';
import { findP95 } from './find-p95.js';
import { formatBytes } from './format-bytes.js';

it('weighs routes by their calls', () => {
  const route = (requests: number, p95_ms: number) => ({ route: '', requests, errors: 0, refused: 0, mean_ms: 0, p50_ms: 0, p95_ms, rows_out: 0 });
  expect(findP95([])).toBeNull();
  expect(findP95([route(9, 10), route(1, 110)])).toBe(20);
});

it.each([[0, '0 B'], [512, '512 B'], [1_536, '1.5 KiB'], [10_737_418_240, '10 GiB']])('writes %d bytes as %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
