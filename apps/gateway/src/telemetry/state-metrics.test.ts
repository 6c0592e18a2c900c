import { createMetrics } from '@rowhouse/runtime';
import { expect, it } from 'vitest';
import { watchCaches } from './state-metrics.js';

it('the gateway metrics report the current sizes and misses of the caches', async () => {
  const registry = createMetrics('gateway');
  let misses = 3;
  watchCaches(
    registry,
    { size: () => ({ keys: 5, databases: 4 }), misses: () => misses },
    { bytes: () => 1_000, loads: () => 7 },
  );
  const read = async (name: string): Promise<number | undefined> =>
    (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
  expect([
    await read('gateway_cached_keys'),
    await read('gateway_cached_databases'),
    await read('gateway_cached_schema_bytes'),
    await read('gateway_schema_loads_total'),
  ]).toEqual([5, 4, 1_000, 7]);
  expect(await read('gateway_key_misses_total')).toBe(3);
  misses = 8;
  expect(await read('gateway_key_misses_total')).toBe(8);
});
