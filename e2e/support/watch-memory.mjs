// @ts-check
/** Measures the memory of a process from outside, by polling its own figures at `/metrics`. */
import { setTimeout as sleep } from 'node:timers/promises';

const MIB = 2 ** 20;
const INTERVAL_MS = 100;

/**
 * @typedef {object} MemorySample all in MiB
 * @property {number} rss
 * @property {number} heap
 * @property {number} external memory outside of the heap, such as buffers
 *
 * @typedef {object} MemoryWatch
 * @property {() => Promise<{ peak: MemorySample, samples: number }>} stop
 */

/** @param {string} metricsUrl that of one process @returns {Promise<MemorySample>} */
export async function readMemory(metricsUrl) {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const read = (/** @type {string} */ name) => {
    const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`${metricsUrl}/metrics has no ${name}`);
    return Math.round((Number(value) / MIB) * 10) / 10;
  };
  return {
    rss: read('process_resident_memory_bytes'),
    heap: read('nodejs_heap_size_used_bytes'),
    external: read('nodejs_external_memory_bytes'),
  };
}

/**
 * Measures the memory of an idle process. Returns the lowest figures once no lower ones were seen for
 * `calmMs`, because the engine has then collected the garbage of earlier work.
 * @param {string} metricsUrl
 * @param {number} calmMs
 */
export async function readIdleMemory(metricsUrl, calmMs) {
  let least = await readMemory(metricsUrl);
  for (let calmSinceMs = performance.now(); performance.now() - calmSinceMs < calmMs;) {
    await sleep(INTERVAL_MS);
    const now = await readMemory(metricsUrl);
    if (now.rss < least.rss) [least, calmSinceMs] = [now, performance.now()];
  }
  return least;
}

/** @param {string} metricsUrl @returns {MemoryWatch} */
export function watchMemory(metricsUrl) {
  let isFinished = false;
  let samples = 0;
  const peak = { rss: 0, heap: 0, external: 0 };
  const watching = (async () => {
    while (!isFinished) {
      const now = await readMemory(metricsUrl);
      samples += 1;
      for (const name of /** @type {const} */ (['rss', 'heap', 'external']))
        peak[name] = Math.max(peak[name], now[name]);
      await sleep(INTERVAL_MS);
    }
  })();
  return {
    async stop() {
      isFinished = true;
      await watching;
      return { peak, samples };
    },
  };
}
