import type { ListPlan } from '../plan/plan.js';
import { neededColumns } from '../sql/include-keys.js';
import type { ResultSet } from './result-set.js';

/** Where a list that goes by cursor goes on; null: nowhere. */
export interface Cursors {
  readonly next: string | null;
  readonly prev: string | null;
}

const NOWHERE: Cursors = Object.freeze({ next: null, prev: null });

/** Of the records that are answered: `rows` of `records`, which stand in the order they were read in. */
export function makeCursors(plan: ListPlan, records: ResultSet | undefined, rows: number, hasMore: boolean): Cursors {
  const { cursor } = plan;
  if (cursor === null || records === undefined || rows === 0) return NOWHERE;
  const before = neededColumns(plan.include).length;
  const valuesOf = (row: number): ReturnType<ResultSet['keyCell']>[] => plan.sort.map((_, at) => records.keyCell(row, before + at));
  const isForward = cursor.direction === 'next';
  const [first, last] = isForward ? [0, rows - 1] : [rows - 1, 0];
  // Whoever came from there can go back there.
  const hasNext = isForward ? hasMore : true;
  const hasPrevious = isForward ? cursor.after !== null : hasMore;
  return {
    next: hasNext ? cursor.make(valuesOf(last), 'next') : null,
    prev: hasPrevious ? cursor.make(valuesOf(first), 'prev') : null,
  };
}
