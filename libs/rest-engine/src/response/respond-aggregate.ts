import type { AggregatePlan } from '../plan/aggregate/aggregate-plan.js';
import type { PlainResponse } from './respond-many.js';
import { makeLink } from './make-link.js';
import type { ResultSet } from './result-set.js';

/** Returns the rows of groups, with the paging headers that lists of records have. */
export function respondAggregate(plan: AggregatePlan, results: readonly ResultSet[]): PlainResponse {
  const groups = results.find((result) => result.statement.role.kind === 'records');
  const count = results.find((result) => result.statement.role.kind === 'count');
  const { limit, style } = plan.window;
  const found = groups?.rowCount ?? 0;
  const hasMore = found > limit;
  const headers: Record<string, string> = { 'X-Has-More': String(hasMore) };
  if (style === 'all' && hasMore) headers['X-Truncated'] = 'true';
  const link = makeLink(plan, hasMore);
  if (link !== null) headers['Link'] = link;
  if (count !== undefined) headers['X-Total-Count'] = String(count.keyCell(0, 0));
  return { status: 200, body: groups?.arrayText(Math.min(found, limit)) ?? '[]', headers };
}
