import type { CompiledColumn, CompiledTable } from '../compile/compiled-snapshot.js';
import type { Column, ValueKind } from '../types.js';

/** The names that the column with the creation time can have, with the preferred one first. */
const NAMES = ['created_at', 'date_created'];
const DAY_KINDS: ReadonlySet<ValueKind> = new Set(['date', 'datetime', 'timestamp']);

/**
 * Returns the column that `created_after` is compared with. Returns null if the table has none, or if the
 * rights hide it.
 */
export function findCreatedColumn(table: CompiledTable): CompiledColumn | null {
  const name = table.source.createdColumn ?? chooseCreatedColumn(table.source.columns);
  return name === null ? null : table.findColumn(name);
}

/** Chooses the column with the creation time for a new table. */
function chooseCreatedColumn(
  columns: readonly { readonly name: string; readonly valueKind: ValueKind }[],
): string | null {
  return (
    NAMES.find((name) => columns.some((column) => column.name === name && DAY_KINDS.has(column.valueKind))) ??
    null
  );
}

/**
 * Returns the column that the previous snapshot chose, if it still exists and contains dates. A column that
 * is added later must not change the meaning of `created_after`.
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

/**
 * Reports whether the data API generates a value if a create omits the column. It does so for a column named
 * `uuid` that can contain a UUID and has no default.
 */
export function isFilledUuid(
  column: Pick<Column, 'name' | 'generated' | 'default' | 'valueKind' | 'maxLength'>,
): boolean {
  if (column.name !== 'uuid' || column.generated !== null) return false;
  if (column.default.kind !== 'none' && column.default.kind !== 'null') return false;
  return column.valueKind === 'uuid' || (column.valueKind === 'string' && column.maxLength === 36);
}
