// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `fire` at a steady rate until `until` returns true. If it falls behind, it calls `fire` several times
 * in a row to keep the average rate. It does not wait for responses.
 * @param {{ perSecond: number, fire: (index: number) => void, until: () => boolean }} options
 */
export async function limitPace({ perSecond, fire, until }) {
  const startedMs = performance.now();
  let fired = 0;
  while (!until()) {
    const due = Math.floor(((performance.now() - startedMs) * perSecond) / 1_000);
    while (fired < due) fire(fired++);
    await sleep(1);
  }
  return { fired, elapsedMs: performance.now() - startedMs };
}
