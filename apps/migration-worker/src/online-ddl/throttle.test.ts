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
  throttle.done(20, 100);
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

/** Chunks of a server that takes so long for so many rows, each with its size and its time. */
function walk(server: (rows: number, at: number) => number, count: number, throttle = createThrottle({ chunkMs: 12, rowsFirst: 200, rowsMin: 5, rowsMax: 5_000 })): { rows: number[]; largest: (from: number, to?: number) => number; perSecond: () => number } {
  const rows: number[] = [];
  let totalMs = 0;
  for (let at = 0; at < count; at += 1) {
    const taken = throttle.rows;
    const elapsedMs = server(taken, at);
    totalMs += elapsedMs + throttle.done(elapsedMs, taken);
    rows.push(taken);
  }
  return { rows, largest: (from, to) => Math.max(...rows.slice(from, to)), perSecond: () => (rows.reduce((sum, one) => sum + one, 0) * 1_000) / totalMs };
}

/** Numbers between 0 and 1, the same each time for a seed. */
function makeChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

it('does not shrink where a chunk waits as long however small it is', () => {
  const { rows, largest, perSecond } = walk((taken) => 40 + 0.02 * taken, 400);
  expect(Math.min(...rows)).toBeGreaterThanOrEqual(25);
  // 600 rows cost the 12 ms.
  expect(largest(50)).toBe(600);
  expect(perSecond()).toBeGreaterThan(1_500);
});

it('finds back from the least size, whatever brought it there', () => {
  const throttle = createThrottle({ chunkMs: 12, rowsFirst: 5, rowsMin: 5, rowsMax: 5_000 });
  expect(walk((taken) => 15 + 0.02 * taken, 100, throttle).largest(50)).toBe(600);
});

it.each([0, 40])('shrinks where the rows are dear, behind a wait of %i ms too', (waitMs) => {
  const { rows, largest } = walk((taken) => waitMs + 2 * taken, 200);
  // Twice the least now and then, so that it is seen when they are no longer dear.
  expect(rows.slice(20).filter((taken) => taken > 6).length).toBeLessThanOrEqual(rows.length / 4);
  expect(largest(20)).toBeLessThanOrEqual(10);
});

it('shrinks in eight chunks where rows become dear that were cheap, and grows when they are cheap again', () => {
  const { largest } = walk((taken, at) => 2 + taken * (at >= 100 && at < 200 ? 2 : 0.02), 300);
  expect(largest(50, 100)).toBeGreaterThan(450);
  expect(largest(108, 200)).toBeLessThanOrEqual(10);
  expect(largest(220)).toBeGreaterThan(450);
});

it.each([1, 2, 3, 4])('keeps its size under waits of all lengths, and takes whole chunks again behind them (%i)', (seed) => {
  const chance = makeChance(seed);
  const wait = (meanMs: number): number => -meanMs * Math.log(chance() + 1e-9);
  const { rows } = walk((taken, at) => (at >= 100 && at < 400 ? 20 + wait(40) : 2) + 0.02 * taken, 500);
  const underLoad = rows.slice(120, 400);
  expect(middle(underLoad)).toBeGreaterThan(100);
  // Chance makes the rows of one chunk in ten cost more than four times what they should at most.
  expect(underLoad.filter((taken) => taken > 2_400).length).toBeLessThan(underLoad.length / 10);
  expect(Math.min(...rows.slice(430))).toBeGreaterThan(450);
});

it.each([1, 2, 3, 4])('keeps its size where every second chunk is held up (%i)', (seed) => {
  const chance = makeChance(seed);
  expect(middle(walk((taken) => (chance() < 0.5 ? 2 : 40) + 0.02 * taken, 400).rows.slice(100))).toBeGreaterThan(250);
});

it('takes no smaller chunks for comparison on a server that is at rest', () => {
  const { rows } = walk((taken) => 2 + 0.02 * taken, 200);
  expect(Math.min(...rows.slice(10))).toBeGreaterThan(400);
});
