import { expect, it } from 'vitest';
import {
  createRejectionThrottle,
  HOLD_MS_MAX,
  REJECTION_INTERVAL_MS,
  IMMEDIATE_REJECTIONS,
} from './rejection-throttle.js';

it('the rejection throttle delays many rejections of one key, but none of another key', async () => {
  const shouldYield = createRejectionThrottle();
  for (let index = 0; index < IMMEDIATE_REJECTIONS; index += 1) expect(shouldYield.hold('loud')).toBeNull();
  const held = shouldYield.hold('loud');
  expect(held).toBeInstanceOf(Promise);
  expect(shouldYield.hold('quiet')).toBeNull();
  let isFinished = false;
  void held?.then(() => (isFinished = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isFinished).toBe(false);
  await held;
});

it('delayed rejections are sent one at a time, each within half a second', async () => {
  const shouldYield = createRejectionThrottle(() => 1_000);
  const startedMs = performance.now();
  const wentMs = await Promise.all(
    Array.from({ length: IMMEDIATE_REJECTIONS + 80 }, async () => {
      await shouldYield.hold('loud');
      return performance.now() - startedMs;
    }),
  );
  const late = wentMs.slice(IMMEDIATE_REJECTIONS);
  // Timers never fire early, but how late they fire depends on the machine. So only a lower bound is checked.
  for (const [index, ms] of late.entries())
    expect(ms).toBeGreaterThan(Math.min(HOLD_MS_MAX, (index + 1) * REJECTION_INTERVAL_MS) - 2);
  const other = createRejectionThrottle(() => 1_000);
  const holds = Array.from({ length: IMMEDIATE_REJECTIONS + 500 }, () => other.hold('loud'));
  const latestMs = performance.now();
  await Promise.all(holds.filter((item) => item !== null));
  expect(Math.floor((performance.now() - latestMs + 2) / HOLD_MS_MAX)).toBe(1);
});

it('an API key gets immediate rejections again after a pause', () => {
  let now = 1_000;
  const shouldYield = createRejectionThrottle(() => now);
  for (let index = 0; index < IMMEDIATE_REJECTIONS; index += 1) expect(shouldYield.hold('loud')).toBeNull();
  now += 5 * REJECTION_INTERVAL_MS;
  for (let index = 0; index < 5; index += 1) expect(shouldYield.hold('loud')).toBeNull();
  expect(shouldYield.hold('loud')).toBeInstanceOf(Promise);
  shouldYield.sweep();
  expect(shouldYield.hold('loud')).toBeInstanceOf(Promise);
  now += 10_000;
  shouldYield.sweep();
  for (let index = 0; index < IMMEDIATE_REJECTIONS; index += 1) expect(shouldYield.hold('loud')).toBeNull();
  expect(shouldYield.hold('loud')).toBeInstanceOf(Promise);
});

it('the rejection throttle delays at most 2,048 rejections at a time', async () => {
  const shouldYield = createRejectionThrottle();
  const held = Array.from({ length: 2_048 + IMMEDIATE_REJECTIONS }, () => shouldYield.hold('loud'));
  expect(held.filter((item) => item !== null)).toHaveLength(2_048);
  expect(shouldYield.hold('loud')).toBeNull();
  await Promise.all(held.filter((item) => item !== null));
  // If the timers were late, up to `IMMEDIATE_REJECTIONS` rejections may be sent immediately now.
  expect(
    Array.from({ length: 2 * IMMEDIATE_REJECTIONS }, () => shouldYield.hold('loud')).at(-1),
  ).not.toBeNull();
});
