import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import { isSortable } from '../is-sortable.js';
import type { SortKey } from '../plan.js';
import { findOrderKey } from './find-order-key.js';
import { isSortedExactly } from './is-sorted-exactly.js';

/**
 * Puts records that are equal in all sort keys in an order of their own, so that pages neither lose nor repeat one.
 * Records that are equal in this too are equal in all that is visible, and may stand for each other.
 */
export interface TieBreak {
  /** Sorted by one after the other. */
  readonly columns: readonly CompiledColumn[];
  /** Columns whose order is not exact: a digest of all their bytes comes last. */
  readonly digested: readonly CompiledColumn[];
}

/** Columns that are sorted by one after the other; the others go into the digest, which bounds the size of a sort key. */
const COLUMNS_MAX = 8;
const TEXT_CHARACTERS_MAX = 255;
/** Values that compare as equal and are shown as different texts: `a` and `A`, 0 and -0. */
const BLURRED = new Set(['string', 'float', 'double']);

/** What breaks the ties of a list of `table` that is sorted by `sort`; null where its keys leave none. */
export function findTieBreak(table: CompiledTable, sort: readonly SortKey[]): TieBreak | null {
  const key = findOrderKey(table);
  if (key === null) return breakByAll(table, sort);
  const inexact = key.filter((column) => !isSortedExactly(column));
  // An index that gives the order alone compares whole values.
  return inexact.length === 0 || sort.every(({ column }) => key.includes(column)) ? null : { columns: [], digested: inexact };
}

function breakByAll(table: CompiledTable, sort: readonly SortKey[]): TieBreak {
  const visible = table.columns.filter((column) => !column.hidden);
  const sorted = new Set(sort.filter(({ path, count }) => path.length === 0 && count === null).map(({ column }) => column));
  const columns = visible.filter((column) => !sorted.has(column) && isShort(column)).slice(0, COLUMNS_MAX);
  const isSettled = (column: CompiledColumn): boolean => (sorted.has(column) || columns.includes(column)) && isSortedExactly(column) && !BLURRED.has(column.valueKind);
  return { columns, digested: visible.filter((column) => !isSettled(column)) };
}

function isShort(column: CompiledColumn): boolean {
  return isSortable(column) && (column.valueKind !== 'string' || (column.maxLength ?? Number.POSITIVE_INFINITY) <= TEXT_CHARACTERS_MAX);
}

/** The same of distinct rows of `select`, whose sort keys are all columns that have an order: no two are equal in these by their collations. */
export function findDistinctTieBreak(select: readonly CompiledColumn[]): TieBreak | null {
  const digested = select.filter((column) => !isSortedExactly(column) || column.valueKind === 'binary');
  return digested.length === 0 ? null : { columns: [], digested };
}
