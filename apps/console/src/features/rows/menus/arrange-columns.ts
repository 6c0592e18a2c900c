import { toCellText, CutValue, UNREAD } from '../../../data/rows/cell-text.js';
import { kindOf, operatorsOf } from '../../../data/rows/column-kinds.js';
import type { ColumnView } from '../../../data/schema/read-tables.js';
import type { RowFilter } from '../data-search.js';

/** The maximum length of a value in a filter. A longer one may not fit into a URL. */
const FILTER_VALUE_MAX = 500;

/** Returns the names with one of them moved. `by` is negative to move it towards the start. */
export function moveName(names: readonly string[], name: string, by: -1 | 1): readonly string[] {
  const from = names.indexOf(name);
  const to = from + by;
  if (from < 0 || to < 0 || to >= names.length) return names;
  return names.toSpliced(from, 1).toSpliced(to, 0, name);
}

/**
 * Returns the names to store for visible columns. Null means that all columns are visible in the order of the
 * table, so columns that are added later are visible too.
 */
export function toChosen(names: readonly string[], columns: readonly ColumnView[]): readonly string[] | null {
  return names.length === columns.length && columns.every(({ name }, index) => name === names[index])
    ? null
    : names;
}

/** Returns a filter for rows with this value. Returns null if the column has no such filter. */
export function filterByValue(column: ColumnView, value: unknown): RowFilter | null {
  if (value === null) return [column.name, 'isnull', 'true'];
  const isComparable = operatorsOf(column).some((operator) => operator.value === 'eq');
  if (!isComparable || value === UNREAD || value === undefined || value instanceof CutValue) return null;
  if (kindOf(column) === 'binary') return null;
  const text = Array.isArray(value) ? value.join(',') : toCellText(value);
  return text.length > FILTER_VALUE_MAX ? null : [column.name, 'eq', text];
}
