// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats `probe` until it returns a truthy value, and returns that value. The timeout is generous and does
 * not assert any speed.
 * @template T
 * @param {string} what used in the error message
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
