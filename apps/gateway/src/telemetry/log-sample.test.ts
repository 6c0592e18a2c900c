import type { RequestLogRow } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import { createLogSample } from './log-sample.js';

const line = (databaseId: string, requestId: string): RequestLogRow => ({
  databaseId,
  requestId,
  at: '2026-01-31 09:00:00.000',
  keyId: null,
  method: 'GET',
  route: 'GET /posts',
  status: 200,
  code: '',
  durationUs: 1,
  rowsOut: 0,
  shape: null,
});

function fill(
  rowsMax: number,
  rowsPerDatabaseMax: number,
  requests: readonly (readonly [string, number])[],
): ReadonlyMap<string, number> {
  const sample = createLogSample({ rowsMax, rowsPerDatabaseMax });
  for (const [databaseId, times] of requests)
    for (let index = 0; index < times; index += 1)
      sample.add(databaseId, () => line(databaseId, `${databaseId}${index}`));
  const cache = new Map<string, number>();
  for (const { databaseId } of sample.take()) cache.set(databaseId, (cache.get(databaseId) ?? 0) + 1);
  expect(sample.take()).toEqual([]);
  return cache;
}

it('the log sample contains the only request of a quiet database among thousands of another one', () => {
  expect(
    fill(100, 20, [
      ['quiet', 1],
      ['loud', 5_000],
      ['late', 1],
    ]),
  ).toEqual(
    new Map([
      ['quiet', 1],
      ['loud', 20],
      ['late', 1],
    ]),
  );
});

it('a full log sample drops an entry of the database with the most entries', () => {
  const cache = fill(40, 40, [
    ['loud', 5_000],
    ['late', 1],
    ['later', 3],
  ]);
  expect(cache).toEqual(
    new Map([
      ['loud', 36],
      ['late', 1],
      ['later', 3],
    ]),
  );
});

it('the log sample never exceeds its limit for any number of databases', () => {
  const cache = fill(
    50,
    10,
    Array.from({ length: 200 }, (_, index) => [`db${index}`, 30] as const),
  );
  expect([...cache.values()].reduce((sum, rows) => sum + rows, 0)).toBe(50);
});

it('each request of a database has the same chance to be in the log sample', () => {
  const sample = createLogSample({ rowsMax: 100, rowsPerDatabaseMax: 50 });
  let lateOnes = 0;
  for (let round = 0; round < 200; round += 1) {
    for (let index = 0; index < 500; index += 1) sample.add('a', () => line('a', String(index)));
    lateOnes += sample.take().filter(({ requestId }) => Number(requestId) >= 250).length;
  }
  // Half of the 10,000 retained lines are expected, within six standard deviations.
  expect(Math.abs(lateOnes - 5_000)).toBeLessThan(300);
});
