import type { InsightsAnswer } from '@rowhouse/contracts';

/** The routes' p95 weighed by their calls, in milliseconds: an estimate, since the whole is not told. Null without calls. */
export function findP95(routes: InsightsAnswer['routes']): number | null {
  const total = routes.reduce((sum, route) => sum + route.requests, 0);
  if (total === 0) return null;
  return routes.reduce((sum, route) => sum + route.p95_ms * route.requests, 0) / total;
}
