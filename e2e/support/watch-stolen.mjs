// @ts-check
/**
 * Records when the host withheld CPU time from this machine. Measurements at such a moment say nothing about
 * the product.
 */
import { readFileSync } from 'node:fs';
import { readClock } from './change-load/load-client.mjs';

/**
 * @typedef {{ fromMs: number, toMs: number }} Stretch on the clock of the load
 * @typedef {{ dueMs: number }} Due
 */

const SAMPLE_MS = 100;
/** The minimum stolen time that counts, in ticks of 10 ms, summed over all processors. */
const STOLEN_TICKS_MIN = 2;
/**
 * Requests that are due shortly before or after such a period also count as affected. They wait during it, or
 * in the queue that it has built up.
 */
const BEFORE_MS = 20;
const AFTER_MS = 100;
/** The position of `steal` in the line of all processors in /proc/stat. */
const STEAL_AT = 8;

/**
 * Watches until `stop` is called, which returns the periods of stolen time. Returns none on a system that
 * does not report stolen time.
 * @returns {{ stop: () => Stretch[] }}
 */
export function watchStolen() {
  /** @type {Stretch[]} */
  const stretches = [];
  let last = { ticks: readStolenTicks(), atMs: readClock() };
  const timer = setInterval(() => {
    const now = { ticks: readStolenTicks(), atMs: readClock() };
    if (now.ticks - last.ticks >= STOLEN_TICKS_MIN) stretches.push({ fromMs: last.atMs, toMs: now.atMs });
    last = now;
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return stretches;
    },
  };
}

/**
 * Leaves out requests that were due during a stretch or next to one. The decision depends on when a request
 * was due and not on how long it took, so that slow requests are not left out more often.
 * @template {Due} T
 * @param {readonly T[]} requests
 * @param {readonly Stretch[]} stretches sorted
 * @returns {T[]}
 */
export function omitStolenTime(requests, stretches) {
  return requests.filter(
    ({ dueMs }) =>
      !stretches.some(({ fromMs, toMs }) => dueMs >= fromMs - BEFORE_MS && dueMs <= toMs + AFTER_MS),
  );
}

function readStolenTicks() {
  try {
    return Number(readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/)[STEAL_AT] ?? 0);
  } catch {
    return 0;
  }
}
