import type { GuardedQuery } from '@rowhouse/query-engine';
import {
  isLike,
  type CompiledColumn,
  type CompiledSnapshot,
  type CompiledTable,
} from '@rowhouse/schema-model';
import type { QueryRun } from './run-query.js';

type Row = Readonly<Record<string, string | null>>;

/**
 * Returns the rows of SHOW TABLES for the tables that the key may see. `like` is a case-insensitive LIKE
 * pattern.
 */
export function showTables(compiled: CompiledSnapshot, like: string | null): Row[] {
  return compiled.tableNames
    .filter((table) => like === null || isLike(table, like))
    .map((table) => ({ Tables_in_database: table }));
}

/** Returns the rows of DESCRIBE, with the columns that MySQL clients expect. */
export function describeTable(table: CompiledTable, column: string | null): Row[] {
  const columns = table.columns.filter(
    (candidate) =>
      !candidate.hidden && (column === null || candidate.name.toLowerCase() === column.toLowerCase()),
  );
  return columns.map((candidate) => ({
    Field: candidate.name,
    Type: candidate.sqlType,
    Null: candidate.nullable ? 'YES' : 'NO',
    Key: findKeyMark(table, candidate),
    Default:
      candidate.default.kind === 'literal' || candidate.default.kind === 'expression'
        ? candidate.default.text
        : null,
    Extra: describeExtra(candidate),
  }));
}

function findKeyMark(table: CompiledTable, column: CompiledColumn): string {
  if (table.source.primaryKey?.includes(column.name)) return 'PRI';
  const leading = table.indexes.filter((index) => index.columns[0]?.name === column.name);
  if (leading.some((index) => index.unique && index.columns.length === 1)) return 'UNI';
  return leading.length > 0 ? 'MUL' : '';
}

function describeExtra(column: CompiledColumn): string {
  if (column.autoIncrement) return 'auto_increment';
  if (column.generated !== null) return `${column.generated.toUpperCase()} GENERATED`;
  return column.onUpdateNow ? 'on update current_timestamp()' : '';
}

/** Returns the warnings of the verbose response, for facts that the rows do not show. */
export function describeWarnings(guarded: GuardedQuery, { rows }: QueryRun): string[] {
  const warnings: string[] = [];
  if (rows.isTruncated)
    warnings.push(
      `There are more rows than these ${rows.rowCount}. Raise limit (up to 10,000), or stream all ` +
        'rows with Accept: application/x-ndjson.',
    );
  if (guarded.kind !== 'select') return warnings;
  if (rows.isTruncated && !/\border\s+by\b/i.test(guarded.sql))
    warnings.push('Without ORDER BY, any of the rows may be returned.');
  // Both servers stop after this many iterations, and MariaDB does not report it.
  if (/\bwith\s+recursive\b/i.test(guarded.sql))
    warnings.push('A recursive WITH ends after at most 1,000 iterations.');
  return warnings;
}
