import type { ServerPoolStats, TenantPools } from '@rowhouse/mysql';
import { Gauge, type Registry } from '@rowhouse/runtime';

type Figure = 'open' | 'limit' | 'idle' | 'waiting' | 'takeovers' | 'connects';

const FIGURES: readonly (readonly [Figure, string])[] = [
  ['open', 'Tenant sessions open on a server'],
  ['limit', 'Sessions that may be open on a server'],
  ['idle', 'Of them idle'],
  ['waiting', 'Requests that wait for a session'],
  ['takeovers', 'Sessions taken over from another tenant since start'],
  ['connects', 'Sessions opened since start'],
];

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
