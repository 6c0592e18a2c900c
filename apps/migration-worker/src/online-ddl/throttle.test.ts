import { expect, it } from 'vitest';
import { createThrottle } from './throttle.js';

const OPTIONS = { chunkMs: 10, rowsFirst: 100, rowsMin: 10, rowsMax: 1_000 };

it('rests twice as long as it works', () => {
  expect(createThrottle(OPTIONS).done(8, 100)).toBe(16);
  expect(createThrottle(OPTIONS).done(0.1, 100)).toBe(2);
});

it('rests longer where rows cost more than they did at best, up to three times', () => {
  const throttle = createThrottle(OPTIONS);
  throttle.done(5, 100);
  expect(throttle.done(10, 100)).toBe(40);
  expect(throttle.done(20, 100)).toBe(120);
  expect(throttle.done(5, 100)).toBe(10);
});

it('does not take a few rows at an end for dear ones for ever', () => {
  const throttle = createThrottle(OPTIONS);
  expect(throttle.done(1, 1)).toBe(2);
  expect(throttle.done(5, 100)).toBe(10);
});

it('takes fewer rows after a slow chunk, more after a quick one, within bounds', () => {
  const throttle = createThrottle(OPTIONS);
  throttle.done(40, 100);
  expect(throttle.rows).toBe(50);
  for (let count = 0; count < 20; count += 1) throttle.done(1, throttle.rows);
  expect(throttle.rows).toBe(1_000);
  for (let count = 0; count < 20; count += 1) throttle.blocked();
  expect(throttle.rows).toBe(10);
});

it('does not take a short last chunk for a quick one', () => {
  const throttle = createThrottle(OPTIONS);
  throttle.done(1, 3);
  expect(throttle.rows).toBe(100);
});

it('waits longer each time that others are in the way', () => {
  const throttle = createThrottle(OPTIONS);
  expect([throttle.blocked(), throttle.blocked(), throttle.blocked()]).toEqual([10, 20, 40]);
});
