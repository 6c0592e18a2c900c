import { expect, it } from 'vitest';
import { createRefusalPace, HOLD_MS_MAX, INTERVAL_MS, REFUSALS_AT_ONCE } from './refusal-pace.js';

it('the rejections of a key are delayed when there are many in a second, and those of other keys are not', async () => {
  const pace = createRefusalPace();
  for (let at = 0; at < REFUSALS_AT_ONCE; at += 1) expect(pace.hold('loud')).toBeNull();
  const held = pace.hold('loud');
  expect(held).toBeInstanceOf(Promise);
  expect(pace.hold('quiet')).toBeNull();
  let isOver = false;
  void held?.then(() => (isOver = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  await held;
});

it('the rejections are sent one by one, the later the more there are, but within half a second', async () => {
  const pace = createRefusalPace(() => 1_000);
  const begunMs = performance.now();
  const wentMs = await Promise.all(
    Array.from({ length: REFUSALS_AT_ONCE + 80 }, async () => {
      await pace.hold('loud');
      return performance.now() - begunMs;
    }),
  );
  const late = wentMs.slice(REFUSALS_AT_ONCE);
  // Timers never fire early. How late they fire depends on the machine.
  for (const [at, ms] of late.entries()) expect(ms).toBeGreaterThan(Math.min(HOLD_MS_MAX, (at + 1) * INTERVAL_MS) - 2);
  const other = createRefusalPace(() => 1_000);
  const holds = Array.from({ length: REFUSALS_AT_ONCE + 500 }, () => other.hold('loud'));
  const latestMs = performance.now();
  await Promise.all(holds.filter((one) => one !== null));
  expect(Math.floor((performance.now() - latestMs + 2) / HOLD_MS_MAX)).toBe(1);
});

it('the key may get as many immediate rejections again after a pause', () => {
  let now = 1_000;
  const pace = createRefusalPace(() => now);
  for (let at = 0; at < REFUSALS_AT_ONCE; at += 1) expect(pace.hold('loud')).toBeNull();
  now += 5 * INTERVAL_MS;
  for (let at = 0; at < 5; at += 1) expect(pace.hold('loud')).toBeNull();
  expect(pace.hold('loud')).toBeInstanceOf(Promise);
  pace.sweep();
  expect(pace.hold('loud')).toBeInstanceOf(Promise);
  now += 10_000;
  pace.sweep();
  for (let at = 0; at < REFUSALS_AT_ONCE; at += 1) expect(pace.hold('loud')).toBeNull();
  expect(pace.hold('loud')).toBeInstanceOf(Promise);
});

it('the number of delayed rejections is limited', async () => {
  const pace = createRefusalPace();
  const held = Array.from({ length: 2_048 + REFUSALS_AT_ONCE }, () => pace.hold('loud'));
  expect(held.filter((one) => one !== null)).toHaveLength(2_048);
  expect(pace.hold('loud')).toBeNull();
  await Promise.all(held.filter((one) => one !== null));
  // If the timers were late, as many as `REFUSALS_AT_ONCE` may be sent immediately by now.
  expect(Array.from({ length: 2 * REFUSALS_AT_ONCE }, () => pace.hold('loud')).at(-1)).not.toBeNull();
});
