import { quoteName } from './quote-name.js';
import type { Table } from './types.js';

/** More columns than that seldom narrow any further. */
const INDEX_COLUMNS_MAX = 3;
/** Whole values of these cannot stand in an index. */
const UNINDEXABLE = /text|blob|json|geometry|point|polygon|linestring|vector/;

/**
 * `CREATE INDEX …` for records that are narrowed by columns and come in the order of others, or null: an index begins with
 * a column that narrows already, or none can be made. Columns that the table has not are left out.
 */
export function proposeIndex(table: Table, narrowedBy: readonly string[], sortedBy: readonly string[]): string | null {
  if (table.kind !== 'table') return null;
  const where = narrowedBy.filter((name) => isIndexable(table, name));
  const wanted = [...new Set([...where, ...sortedBy.filter((name) => isIndexable(table, name))])].slice(0, INDEX_COLUMNS_MAX);
  const leading = where.length > 0 ? where : wanted.slice(0, 1);
  if (wanted.length === 0 || leadingColumns(table).some((name) => leading.includes(name))) return null;
  return `CREATE INDEX ${quoteName(`${table.name}_${wanted.join('_')}`.slice(0, 64))} ON ${quoteName(table.name)} (${wanted.map(quoteName).join(', ')})`;
}

/** The first columns of the indexes by which rows are found in order. */
export function leadingColumns(table: Table): readonly string[] {
  const { primaryKey, indexes } = table;
  const first = indexes.filter((index) => index.kind === 'btree').map((index) => index.columns[0]?.name ?? null);
  return [primaryKey?.[0] ?? null, ...first].filter((name) => name !== null);
}

function isIndexable(table: Table, name: string): boolean {
  return table.columns.some((column) => column.name === name && !UNINDEXABLE.test(column.type));
}
