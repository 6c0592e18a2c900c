import type { RequestLogRow } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import { createLogSample } from './log-sample.js';

const line = (databaseId: string, requestId: string): RequestLogRow => ({
  databaseId, requestId, at: '2026-01-31 09:00:00.000', keyId: null, method: 'GET', route: 'GET /posts', status: 200, code: '', durationUs: 1, rowsOut: 0, shape: null,
});

function fill(rowsMax: number, rowsPerDatabaseMax: number, requests: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sample = createLogSample({ rowsMax, rowsPerDatabaseMax });
  for (const [databaseId, times] of requests) for (let at = 0; at < times; at += 1) sample.keep(databaseId, () => line(databaseId, `${databaseId}${at}`));
  const kept = new Map<string, number>();
  for (const { databaseId } of sample.take()) kept.set(databaseId, (kept.get(databaseId) ?? 0) + 1);
  expect(sample.take()).toEqual([]);
  return kept;
}

it('the one request of a quiet database is retained next to thousands of another, before or after them', () => {
  expect(fill(100, 20, [['quiet', 1], ['loud', 5_000], ['late', 1]])).toEqual(new Map([['quiet', 1], ['loud', 20], ['late', 1]]));
});

it('the largest share loses a row when the sample is full', () => {
  const kept = fill(40, 40, [['loud', 5_000], ['late', 1], ['later', 3]]);
  expect(kept).toEqual(new Map([['loud', 36], ['late', 1], ['later', 3]]));
});

it('the sample never exceeds its limit, no matter how many databases there are', () => {
  const kept = fill(50, 10, Array.from({ length: 200 }, (_, at) => [`db${at}`, 30] as const));
  expect([...kept.values()].reduce((sum, rows) => sum + rows, 0)).toBe(50);
});

it('each request of a share has the same chance', () => {
  const sample = createLogSample({ rowsMax: 100, rowsPerDatabaseMax: 50 });
  let lateOnes = 0;
  for (let round = 0; round < 200; round += 1) {
    for (let at = 0; at < 500; at += 1) sample.keep('a', () => line('a', String(at)));
    lateOnes += sample.take().filter(({ requestId }) => Number(requestId) >= 250).length;
  }
  // Half of the 10,000 retained lines are expected, within six standard deviations.
  expect(Math.abs(lateOnes - 5_000)).toBeLessThan(300);
});
