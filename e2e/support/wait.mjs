// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again until `probe` gives something truthy, and gives that back. The bound only ends a hopeless wait: no test
 * states a speed with it.
 * @template T
 * @param {string} what for the message
 * @param {() => Promise<T>} probe
 * @param {{ timeoutMs?: number, intervalMs?: number }} [options]
 * @returns {Promise<NonNullable<T>>}
 */
export async function waitFor(what, probe, { timeoutMs = 15_000, intervalMs = 20 } = {}) {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > endMs) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await sleep(intervalMs);
  }
}
