import { Counter, Gauge, type Registry } from '@rowhouse/runtime';
import type { LiveSchemas } from '@rowhouse/snapshot-store';
import type { TenantDirectory } from '../tenant/tenant-directory.js';

/** Publishes the sizes and misses of the tenant caches when the metrics are read. */
export function watchCaches(
  registry: Registry,
  tenants: Pick<TenantDirectory, 'size' | 'misses'>,
  schemas: Pick<LiveSchemas, 'bytes' | 'loads'>,
): void {
  const gauges = [
    ['gateway_cached_keys', 'Keys in memory', () => tenants.size().keys],
    ['gateway_cached_databases', 'Databases in memory', () => tenants.size().databases],
    ['gateway_cached_schema_bytes', 'What schemas are thought to take in memory', () => schemas.bytes()],
  ] as const;
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
  const counters = [
    ['gateway_key_misses_total', 'Requests whose key was not in memory', () => tenants.misses()],
    ['gateway_schema_loads_total', 'Schemas brought into memory or up to date', () => schemas.loads()],
  ] as const;
  for (const [name, help, read] of counters) {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}
