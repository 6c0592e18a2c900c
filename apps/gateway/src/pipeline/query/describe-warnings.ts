import type { GuardedQuery } from '@rowhouse/query-engine';
import type { QueryRun } from './run-query.js';

/** Returns the warnings of the verbose response, for facts that the rows do not show. */
export function describeWarnings(guarded: GuardedQuery, { rows }: QueryRun): string[] {
  const warnings: string[] = [];
  if (rows.isTruncated)
    warnings.push(
      `There are more rows than these ${rows.rowCount}: ask for more with limit (10,000 at most), or for a stream (Accept: application/x-ndjson).`,
    );
  if (guarded.kind !== 'select') return warnings;
  if (rows.isTruncated && !/\border\s+by\b/i.test(guarded.sql))
    warnings.push('Without ORDER BY it is not said which rows these are.');
  // Both servers stop after this many iterations, and MariaDB does not report it.
  if (/\bwith\s+recursive\b/i.test(guarded.sql))
    warnings.push('A recursive WITH ends after 1,000 rounds at most.');
  return warnings;
}
