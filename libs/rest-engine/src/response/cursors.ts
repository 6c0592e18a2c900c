import type { ListPlan } from '../plan/plan.js';
import { neededColumns } from '../sql/include-keys.js';
import type { ResultSet } from './result-set.js';

/** The cursors of the next and previous page, each null if there is no such page. */
export interface Cursors {
  readonly next: string | null;
  readonly prev: string | null;
}

const NOWHERE: Cursors = Object.freeze({ next: null, prev: null });

/**
 * Creates the cursors for the first `rows` records of `records`, which are in the order in which they were
 * read.
 */
export function makeCursors(
  plan: ListPlan,
  records: ResultSet | undefined,
  rows: number,
  hasMore: boolean,
): Cursors {
  const { cursor } = plan;
  if (cursor === null || records === undefined || rows === 0) return NOWHERE;
  const before = neededColumns(plan.include).length;
  const valuesOf = (row: number): ReturnType<ResultSet['keyCell']>[] =>
    plan.sort.map((_, index) => records.keyCell(row, before + index));
  const isForward = cursor.direction === 'next';
  const [first, last] = isForward ? [0, rows - 1] : [rows - 1, 0];
  // The page that the request came from exists.
  const hasNext = isForward ? hasMore : true;
  const hasPrevious = isForward ? cursor.after !== null : hasMore;
  return {
    next: hasNext ? cursor.make(valuesOf(last), 'next') : null,
    prev: hasPrevious ? cursor.make(valuesOf(first), 'prev') : null,
  };
}
