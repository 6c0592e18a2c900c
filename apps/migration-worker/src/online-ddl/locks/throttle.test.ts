import { expect, it } from 'vitest';
import { createThrottle } from './throttle.js';

const OPTIONS = { chunkMs: 10, rowsFirst: 100, rowsMin: 10, rowsMax: 1_000 };

it('the copy pause is twice as long as the previous chunk took', () => {
  expect(createThrottle(OPTIONS).done(8, 100)).toBe(16);
  expect(createThrottle(OPTIONS).done(0.1, 100)).toBe(2);
});

it('the copy pause grows when rows take longer to copy than in the fastest chunk', () => {
  const throttle = createThrottle(OPTIONS);
  throttle.done(5, 100);
  expect(throttle.done(10, 100)).toBe(40);
  expect(throttle.done(20, 100)).toBe(120);
  expect(throttle.done(5, 100)).toBe(10);
});

it('a few slow rows at the end do not lengthen all later copy pauses', () => {
  const throttle = createThrottle(OPTIONS);
  expect(throttle.done(1, 1)).toBe(2);
  expect(throttle.done(5, 100)).toBe(10);
});

it('a slow chunk reduces the number of rows and a fast one increases it, within bounds', () => {
  const throttle = createThrottle(OPTIONS);
  throttle.done(40, 100);
  expect(throttle.rows).toBe(50);
  for (let count = 0; count < 20; count += 1) throttle.done(1, throttle.rows);
  expect(throttle.rows).toBe(1_000);
  for (let count = 0; count < 20; count += 1) throttle.blocked();
  expect(throttle.rows).toBe(10);
});

it('a short last chunk of a copy does not count as fast', () => {
  const throttle = createThrottle(OPTIONS);
  throttle.done(1, 3);
  expect(throttle.rows).toBe(100);
});

it('the copy pause grows with each lock conflict', () => {
  const throttle = createThrottle(OPTIONS);
  expect([throttle.blocked(), throttle.blocked(), throttle.blocked()]).toEqual([10, 20, 40]);
});
