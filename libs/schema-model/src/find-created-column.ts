import type { CompiledColumn, CompiledTable } from './compiled-snapshot.js';
import type { ValueKind } from './types.js';

/** The names of the column, in order of preference for a new table. */
const NAMES = ['created_at', 'date_created'];
const DAY_KINDS: ReadonlySet<ValueKind> = new Set(['date', 'datetime', 'timestamp']);

/**
 * Returns the column that `created_after` compares. Returns null when the table has none or does not show it.
 */
export function findCreatedColumn(table: CompiledTable): CompiledColumn | null {
  const name = table.source.createdColumn ?? chooseCreatedColumn(table.source.columns);
  return name === null ? null : table.findColumn(name);
}

/** Chooses the column for a table that did not exist before. */
function chooseCreatedColumn(
  columns: readonly { readonly name: string; readonly valueKind: ValueKind }[],
): string | null {
  return (
    NAMES.find((name) => columns.some((column) => column.name === name && DAY_KINDS.has(column.valueKind))) ??
    null
  );
}

/**
 * Retains the predecessor's choice while its column exists and holds dates. A column that is added later does
 * not change the meaning of requests.
 */
export function keepCreatedColumn(
  columns: Parameters<typeof chooseCreatedColumn>[0],
  before: { readonly columns: typeof columns; readonly createdColumn?: string } | undefined,
): { createdColumn?: string } {
  const retained =
    before === undefined ? null : (before.createdColumn ?? chooseCreatedColumn(before.columns));
  const chosen = chooseCreatedColumn(columns);
  if (retained === null || retained === chosen) return {};
  return columns.some((column) => column.name === retained && DAY_KINDS.has(column.valueKind))
    ? { createdColumn: retained }
    : {};
}
