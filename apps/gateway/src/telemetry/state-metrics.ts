import type { ServerPoolStats, TenantPools } from '@rowhouse/mysql';
import { Counter, Gauge, registerGauge, type Registry } from '@rowhouse/runtime';
import type { LiveSchemas } from '@rowhouse/snapshot-store';
import type { TenantDirectory } from '../tenant/tenant-directory.js';

type Figure = 'open' | 'limit' | 'idle' | 'waiting' | 'takeovers' | 'connects';

const FIGURES: readonly (readonly [Figure, string])[] = [
  ['open', 'Tenant sessions open on a server'],
  ['limit', 'Maximum number of open sessions on a server'],
  ['idle', 'Idle tenant sessions on a server'],
  ['waiting', 'Requests that wait for a session'],
  ['takeovers', 'Sessions taken over from another tenant since start'],
  ['connects', 'Sessions opened since start'],
];

/** Publishes the sizes and misses of the tenant caches when the metrics are read. */
export function watchCaches(
  registry: Registry,
  tenants: Pick<TenantDirectory, 'size' | 'misses'>,
  schemas: Pick<LiveSchemas, 'bytes' | 'loads'>,
): void {
  const gauges = [
    ['gateway_cached_keys', 'Keys in memory', () => tenants.size().keys],
    ['gateway_cached_databases', 'Databases in memory', () => tenants.size().databases],
    ['gateway_cached_schema_bytes', 'Estimated memory of the schemas in memory', () => schemas.bytes()],
  ] as const;
  for (const [name, help, read] of gauges) registerGauge(registry, name, help, read);
  const counters = [
    ['gateway_key_misses_total', 'Requests whose key was not in memory', () => tenants.misses()],
    ['gateway_schema_loads_total', 'Schemas loaded into memory or updated there', () => schemas.loads()],
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

/** Publishes the counts of the pools when the metrics are read. */
export function watchPools(registry: Registry, pools: TenantPools): void {
  for (const [figure, help] of FIGURES) {
    new Gauge({
      name: `gateway_pool_${figure}`,
      help,
      labelNames: ['server'],
      registers: [registry],
      collect() {
        this.reset();
        for (const stats of pools.stats()) this.set({ server: stats.serverId }, readFigure(stats, figure));
      },
    });
  }
}

function readFigure(stats: ServerPoolStats, figure: Figure): number {
  return stats[figure];
}
