import type { QueryResponse } from '../../../data/query-runs/run-query.js';

/** Returns the statement with a value in place of each `?`, so that it can be run without parameters. */
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

/**
 * Returns whether a text looks like a statement that changes rows, for which the console asks for
 * confirmation. The server decides again.
 */
export function isWrite(text: string): boolean {
  const unqualified = text.replace(/^(\s+|--[^\n]*\n|#[^\n]*\n|\/\*[^]*?\*\/)+/, '');
  if (!/^(insert|update|delete|replace)\b/i.test(unqualified)) return false;
  // "delete all posts" is a question. A statement has INTO, SET or FROM before or after the name of its
  // table.
  return /\b(into|set|from)\b/i.test(unqualified);
}
