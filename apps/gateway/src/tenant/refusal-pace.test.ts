import { expect, it } from 'vitest';
import { createRefusalPace, HOLD_MS_MAX, REFUSALS_AT_ONCE } from './refusal-pace.js';

it('keeps refusals of a key back once there are many in a second, and nobody else\'s', async () => {
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

it('keeps them back the longer the more there are, up to half a second', async () => {
  const pace = createRefusalPace();
  const went: number[] = [];
  const held = Array.from({ length: 8 * REFUSALS_AT_ONCE }, async (_, at) => {
    await pace.hold('loud');
    if (at >= REFUSALS_AT_ONCE) went.push(Math.floor(at / REFUSALS_AT_ONCE));
  });
  const begunMs = performance.now();
  await Promise.all(held);
  expect([...new Set(went)]).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(went).toEqual(went.toSorted((a, b) => a - b));
  expect(Math.floor((performance.now() - begunMs + 1) / HOLD_MS_MAX)).toBe(1);
});

it('holds no more than it has room for', async () => {
  const pace = createRefusalPace();
  const held = Array.from({ length: 2_048 + REFUSALS_AT_ONCE }, () => pace.hold('loud'));
  expect(held.filter((one) => one !== null)).toHaveLength(2_048);
  expect(pace.hold('loud')).toBeNull();
  await Promise.all(held.filter((one) => one !== null));
  expect(pace.hold('loud')).not.toBeNull();
});
