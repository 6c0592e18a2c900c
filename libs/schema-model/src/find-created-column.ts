import type { CompiledColumn, CompiledTable } from './compiled-snapshot.js';
import type { ValueKind } from './types.js';

/** In the order in which a new table is asked for them. */
const NAMES = ['created_at', 'date_created'];
const DAY_KINDS: ReadonlySet<ValueKind> = new Set(['date', 'datetime', 'timestamp']);

/** What `created_after` compares; null where the table has no such column, or does not show it. */
export function findCreatedColumn(table: CompiledTable): CompiledColumn | null {
  const name = table.source.createdColumn ?? chooseCreatedColumn(table.source.columns);
  return name === null ? null : table.findColumn(name);
}

/** Of a table that was not there before. */
function chooseCreatedColumn(columns: readonly { readonly name: string; readonly valueKind: ValueKind }[]): string | null {
  return NAMES.find((name) => columns.some((column) => column.name === name && DAY_KINDS.has(column.valueKind))) ?? null;
}

/** The choice of the predecessor, as long as its column is one: a column that comes later does not change what calls mean. */
export function keepCreatedColumn(columns: Parameters<typeof chooseCreatedColumn>[0], before: { readonly columns: typeof columns; readonly createdColumn?: string } | undefined): { createdColumn?: string } {
  const kept = before === undefined ? null : (before.createdColumn ?? chooseCreatedColumn(before.columns));
  const chosen = chooseCreatedColumn(columns);
  if (kept === null || kept === chosen) return {};
  return columns.some((column) => column.name === kept && DAY_KINDS.has(column.valueKind)) ? { createdColumn: kept } : {};
}
