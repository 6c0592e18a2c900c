// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `fire` at a steady rate until `until` says so; late ticks are caught up, so that the rate holds.
 * Answers are not waited for.
 *
 * @param {{ perSecond: number, fire: (index: number) => void, until: () => boolean }} options
 */
export async function keepPace({ perSecond, fire, until }) {
  const startedMs = performance.now();
  let fired = 0;
  while (!until()) {
    const due = Math.floor(((performance.now() - startedMs) * perSecond) / 1_000);
    while (fired < due) fire(fired++);
    await sleep(1);
  }
  return { fired, elapsedMs: performance.now() - startedMs };
}
