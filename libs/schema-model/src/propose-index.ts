import { quoteName } from './sql-text.js';
import type { Table } from './types.js';

/**
 * The maximum number of columns in a proposed index. More columns rarely reduce the number of examined rows.
 */
const INDEX_COLUMNS_MAX = 3;
/** Matches types whose complete values cannot be indexed. */
const UNINDEXABLE = /text|blob|json|geometry|point|polygon|linestring|vector/;

/**
 * Returns a `CREATE INDEX …` statement for an index that helps to filter by some columns and sort by others.
 * Returns null if an existing index begins with a filtered column, or if no index is possible. Unknown
 * columns are ignored.
 */
export function proposeIndex(
  table: Table,
  narrowedBy: readonly string[],
  sortedBy: readonly string[],
): string | null {
  if (table.kind !== 'table') return null;
  const where = narrowedBy.filter((name) => isIndexable(table, name));
  const indexColumns = [...new Set([...where, ...sortedBy.filter((name) => isIndexable(table, name))])].slice(
    0,
    INDEX_COLUMNS_MAX,
  );
  const leading = where.length > 0 ? where : indexColumns.slice(0, 1);
  if (indexColumns.length === 0 || leadingColumns(table).some((name) => leading.includes(name))) return null;
  return `CREATE INDEX ${quoteName(`${table.name}_${indexColumns.join('_')}`.slice(0, 64))} ON ${quoteName(table.name)} (${indexColumns.map(quoteName).join(', ')})`;
}

/** Returns the first column of the primary key and of each B-tree index. */
export function leadingColumns(table: Table): readonly string[] {
  const { primaryKey, indexes } = table;
  const first = indexes
    .filter((index) => index.kind === 'btree')
    .map((index) => index.columns[0]?.name ?? null);
  return [primaryKey?.[0] ?? null, ...first].filter((name) => name !== null);
}

function isIndexable(table: Table, name: string): boolean {
  return table.columns.some((column) => column.name === name && !UNINDEXABLE.test(column.type));
}
