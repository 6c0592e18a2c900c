// @ts-check
/**
 * Measures the time for one request in the token buckets of this library and in `rate-limiter-flexible`, and
 * for one lookup in a `Map` and in `lru-cache`. Run it after a build with `node --expose-gc` (docs/adr/0064).
 */
import { createRequire } from 'node:module';
import { createAddressRates, createSharedTokenBucket } from '../dist/index.js';

const { RateLimiterMemory } = createRequire(
  new URL('../../../apps/control-plane/package.json', import.meta.url),
)('rate-limiter-flexible');
const { LRUCache } = createRequire(new URL('../../../apps/gateway/package.json', import.meta.url))(
  'lru-cache',
);
const TIMES = 1_000_000;
const RATE = { per_second: 1e9, burst: 1e9 };
const NAMES = Array.from({ length: 30_000 }, (_, index) => `a key with some characters ${index}`);
const addresses = createAddressRates({ perSecond: 1e9, burst: 1e9, trustedNetworks: [] });
const bucket = createSharedTokenBucket();
const limiter = new RateLimiterMemory({ points: 1e9, duration: 1 });
const map = new Map(NAMES.map((name) => [name, name]));
const cache = new LRUCache({ max: 50_000 });
for (const name of NAMES) cache.set(name, name);

/** @param {string} name @param {(index: number) => unknown} run */
async function measure(name, run) {
  const repeat = async (/** @type {number} */ times) => {
    for (let index = 0; index < times; index += 1) {
      const result = run(index);
      if (result instanceof Promise) await result;
    }
  };
  await repeat(50_000);
  globalThis.gc?.();
  const heapBytes = process.memoryUsage().heapUsed;
  await repeat(5_000);
  const bytes = Math.round((process.memoryUsage().heapUsed - heapBytes) / 5_000);
  const started = process.cpuUsage();
  await repeat(TIMES);
  const { user, system } = process.cpuUsage(started);
  console.log(`${name}: ${Math.round(((user + system) * 1_000) / TIMES)} ns, ${bytes} bytes`);
}

await measure('rate of an address', () => addresses.refuse('203.0.113.9', performance.now()));
await measure('rate of a key', () => bucket.take(RATE, performance.now()));
await measure('rate-limiter-flexible', () => limiter.consume('203.0.113.9'));
await measure('Map.get', (index) => map.get(/** @type {string} */ (NAMES[index % NAMES.length])));
await measure('lru-cache get', (index) => cache.get(/** @type {string} */ (NAMES[index % NAMES.length])));
