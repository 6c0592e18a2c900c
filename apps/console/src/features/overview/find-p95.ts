import type { InsightsResponse } from '@rowhouse/contracts';

/**
 * Returns the average of the routes' p95 in milliseconds, weighted by their calls. This is an estimate,
 * because the overall p95 is not reported. Returns null without calls.
 */
export function findP95(routes: InsightsResponse['routes']): number | null {
  const total = routes.reduce((sum, route) => sum + route.requests, 0);
  if (total === 0) return null;
  return routes.reduce((sum, route) => sum + route.p95_ms * route.requests, 0) / total;
}
