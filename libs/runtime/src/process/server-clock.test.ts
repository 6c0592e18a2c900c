import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startServerClock } from './server-clock.js';

const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('the server clock uses the time of the database, whatever the local clock shows', async () => {
  let database = Date.now() - HOUR_MS;
  const clock = await startServerClock({ readTimeMs: async () => database, onFault: () => undefined });
  expect(clock.nowMs()).toBeCloseTo(database, 0);
  vi.setSystemTime(Date.now() + 5 * HOUR_MS);
  expect(clock.nowMs()).toBeCloseTo(database, 0);
  // The clock of the database is corrected, which the next comparison detects.
  database += 60_000;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(clock.nowMs()).toBeCloseTo(database, 0);
  clock.stop();
});

it('the server clock continues while the database is unavailable and ignores slow responses', async () => {
  const faults: unknown[] = [];
  let read = async (): Promise<number> => 1_000_000;
  const clock = await startServerClock({ readTimeMs: () => read(), onFault: (error) => faults.push(error) });
  read = () => Promise.reject(new Error('away'));
  await vi.advanceTimersByTimeAsync(20_000);
  expect([faults.length, Math.round(clock.nowMs())]).toEqual([2, 1_020_000]);
  read = () => new Promise((resolve) => setTimeout(() => resolve(9_000_000), 600));
  await vi.advanceTimersByTimeAsync(10_600);
  expect(Math.round(clock.nowMs())).toBe(1_030_600);
  read = async () => Number.NaN;
  await expect(clock.sync()).rejects.toThrow(/no time/);
  clock.stop();
});

it('the server clock fails to start when the database time cannot be read', async () => {
  await expect(
    startServerClock({ readTimeMs: () => Promise.reject(new Error('away')), onFault: () => undefined }),
  ).rejects.toThrow('away');
});

it('the server clock repeats slow comparisons at its start and uses the fastest one', async () => {
  const startMs = Date.now();
  const trips = [
    { there: 0, back: 6_800 },
    { there: 0, back: 1_000 },
    { there: 2_000, back: 0 },
    { there: 3, back: 3 },
    { there: 0, back: 4_000 },
  ];
  let requestCount = 0;
  const readTimeMs = async (): Promise<number> => {
    const trip = trips[requestCount++] ?? { there: 0, back: 0 };
    await new Promise((resolve) => setTimeout(resolve, trip.there));
    const timeMs = Date.now();
    await new Promise((resolve) => setTimeout(resolve, trip.back));
    return timeMs;
  };
  const starting = startServerClock({ readTimeMs, onFault: () => undefined });
  await vi.advanceTimersByTimeAsync(20_000);
  const clock = await starting;
  expect(requestCount).toBe(5);
  expect(Math.abs(clock.nowMs() - startMs - 20_000)).toBeLessThanOrEqual(3);
  clock.stop();
});

it('the server clock starts with the fastest comparison even if all are slow', async () => {
  const faults: unknown[] = [];
  let requestCount = 0;
  const readTimeMs = async (): Promise<number> => {
    requestCount += 1;
    if (requestCount === 3) throw new Error('away');
    await new Promise((resolve) => setTimeout(resolve, requestCount === 2 ? 600 : 3_000));
    return Date.now();
  };
  const starting = startServerClock({ readTimeMs, onFault: (error) => faults.push(error) });
  await vi.advanceTimersByTimeAsync(9_600);
  const clock = await starting;
  expect([requestCount, faults.length]).toEqual([5, 1]);
  expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThanOrEqual(300);
  clock.stop();
});
