import type { QueryResponse } from '../../data/query-runs/run-query.js';

/** Returns the statement with its values in place of each `?`, so that it can be sent by itself. */
export function fillParams({ sql, params }: Pick<QueryResponse, 'sql' | 'params'>): string {
  let index = 0;
  return params.length === 0
    ? sql
    : sql.replaceAll(/'(?:[^'\\]|\\.|'')*'|`[^`]*`|\?/g, (chunk) =>
        chunk === '?' ? toLiteral(params[index++]) : chunk,
      );
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    : JSON.stringify(value);
}
