import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import { isSortable } from '../is-sortable.js';
import type { SortKey } from '../plan.js';
import { findOrderKey } from './find-order-key.js';
import { isSortedExactly } from './is-sorted-exactly.js';

/**
 * Orders records that are equal in all sort keys, so that pages neither skip nor repeat one. Records that are
 * also equal in this are equal in everything visible, and interchangeable.
 */
export interface TieBreak {
  /** Columns to sort by, in order. */
  readonly columns: readonly CompiledColumn[];
  /** Columns without an exact order. A digest of all their bytes comes last. */
  readonly digested: readonly CompiledColumn[];
}

/**
 * The maximum number of columns to sort by. The digest contains the others, which limits the size of a sort
 * key.
 */
const COLUMNS_MAX = 8;
const TEXT_CHARACTERS_MAX = 255;
/** Kinds with values that compare as equal but have different texts, such as `a` and `A`, or 0 and -0. */
const BLURRED = new Set(['string', 'float', 'double']);

/** Returns the tie break for a list of `table` sorted by `sort`, or null if its keys leave no ties. */
export function findTieBreak(table: CompiledTable, sort: readonly SortKey[]): TieBreak | null {
  const key = findOrderKey(table);
  if (key === null) return breakByAll(table, sort);
  const inexact = key.filter((column) => !isSortedExactly(column));
  // If an index alone provides the order, it compares complete values.
  return inexact.length === 0 || sort.every(({ column }) => key.includes(column))
    ? null
    : { columns: [], digested: inexact };
}

function breakByAll(table: CompiledTable, sort: readonly SortKey[]): TieBreak {
  const visible = table.columns.filter((column) => !column.hidden);
  const sorted = new Set(
    sort.filter(({ path, count }) => path.length === 0 && count === null).map(({ column }) => column),
  );
  const columns = visible.filter((column) => !sorted.has(column) && isShort(column)).slice(0, COLUMNS_MAX);
  const isSettled = (column: CompiledColumn): boolean =>
    (sorted.has(column) || columns.includes(column)) &&
    isSortedExactly(column) &&
    !BLURRED.has(column.valueKind);
  return { columns, digested: visible.filter((column) => !isSettled(column)) };
}

function isShort(column: CompiledColumn): boolean {
  return (
    isSortable(column) &&
    (column.valueKind !== 'string' || (column.maxLength ?? Number.POSITIVE_INFINITY) <= TEXT_CHARACTERS_MAX)
  );
}

/**
 * Returns the tie break for distinct rows of `select`. Their sort keys are all sortable columns, so no two
 * rows are equal in these by their collations.
 */
export function findDistinctTieBreak(select: readonly CompiledColumn[]): TieBreak | null {
  const digested = select.filter((column) => !isSortedExactly(column) || column.valueKind === 'binary');
  return digested.length === 0 ? null : { columns: [], digested };
}
