import type { RequestFilter } from '../../data/telemetry/queries.js';
import { toRangeStart } from '../../ui/formatting/time-ranges.js';
import type { LogSearch } from './log-search.js';

/**
 * Returns the filter of the logs page as the control API expects it. Requests of the console are left out by
 * default. A link to a single request or key finds them too.
 */
export function toRequestFilter(
  { status, method, route, key, code, request, slow, range, console: withConsole }: LogSearch,
  nowMs: number,
): RequestFilter {
  return {
    status,
    method,
    route,
    key,
    code,
    request,
    source: hidesConsole({ key, request, console: withConsole }) ? 'api' : undefined,
    slow_ms: slow,
    since: range === undefined ? undefined : toRangeStart(range, nowMs),
  };
}

/** Returns whether requests of the console are left out. */
export function hidesConsole({
  key,
  request,
  console: withConsole,
}: {
  readonly [Name in 'key' | 'request' | 'console']?: LogSearch[Name] | undefined;
}): boolean {
  return withConsole !== true && key === undefined && request === undefined;
}
