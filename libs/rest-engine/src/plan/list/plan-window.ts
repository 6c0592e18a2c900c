import type { QueryParameters } from '../../request/api-request.js';
import type { FaultList } from '../../request/fault-list.js';
import type { AggregatePlan } from '../aggregate/aggregate-plan.js';
import { findUnfit } from './plan-cursor.js';
import type { ListWindow } from '../plan-parts.js';
import type { ListPlan } from '../plan.js';

export const ROWS_MAX = 1000;

const PAGE_ROWS_DEFAULT = 20;

/** The maximum number of rows from the start of a list. The server reads every row that OFFSET skips. */
export const REACH_MAX = 100_000;
/** The plans that can be streamed: lists of records or groups. */
export type StreamPlan = ListPlan | AggregatePlan;

/** The limit of a window without an end. */
const ROWS_UNBOUNDED = Number.MAX_SAFE_INTEGER;

/**
 * Returns the window of a stream, which contains all records unless the request limits it. There is no
 * default limit, and no maximum except that of OFFSET.
 */
export function planStreamWindow(parameters: QueryParameters, faults: FaultList): ListWindow {
  const page = readCount('page', parameters.page, 1, faults);
  const limit = readCount('limit', parameters.limit, 0, faults);
  const skip = readCount('_offset', parameters.offset, 0, faults);
  if (page !== null && skip !== null)
    faults.add(['query', '_offset'], 'page and _offset cannot be combined.', 'conflict');
  if (parameters.cursor !== null && (page !== null || skip !== null))
    faults.add(['query', '_cursor'], '_cursor cannot be combined with page or _offset.', 'conflict');
  const rows = limit ?? (page === null ? ROWS_UNBOUNDED : PAGE_ROWS_DEFAULT);
  const offset = page === null ? (skip ?? 0) : (page - 1) * rows;
  if (offset > REACH_MAX)
    faults.add(
      ['query', page === null ? '_offset' : 'page'],
      `A stream can skip at most ${REACH_MAX} rows.`,
      'less_than_equal',
      'To start later, filter by the sort key.',
    );
  return { limit: rows, offset, style: 'offset', page: page ?? 1 };
}

/** Reports whether a stream contains all records, so that no other page follows. */
export function isWholeWindow({ limit, offset }: ListWindow): boolean {
  return limit === ROWS_UNBOUNDED && offset === 0;
}

/** Adds faults for features that streams do not support, because their records are written as they arrive. */
export function checkStream(plan: ListPlan, faults: FaultList): void {
  if (plan.include.length > 0) {
    faults.add(
      ['query', 'include'],
      'A stream cannot include or count related records.',
      'conflict',
      'Stream the related table as well, or read pages as application/json.',
    );
  }
  if (plan.cursor?.direction === 'prev')
    faults.add(
      ['query', '_cursor'],
      'This cursor leads backward, but a stream only goes forward.',
      'conflict',
    );
}

/**
 * Reports whether the records can be read in parts, where each part continues after the last record of the
 * previous one. Streams of views, tables without a key, distinct rows and groups are read at once. So are
 * streams ordered by columns that do not compare exactly.
 */
export function isReadInParts(plan: StreamPlan): plan is ListPlan {
  if (
    plan.kind === 'aggregate' ||
    plan.table.kind === 'view' ||
    plan.table.rowKey === null ||
    plan.isDistinct
  )
    return false;
  return plan.sort.every((key) => key.jsonPath === undefined) && findUnfit(plan.table, plan.sort) === null;
}

/**
 * Returns the requested rows of the list. If the request has no page and no limit, these are the first 1,000
 * rows.
 */
export function planWindow(
  parameters: QueryParameters,
  requireLimit: boolean,
  faults: FaultList,
): ListWindow {
  const page = readCount('page', parameters.page, 1, faults);
  const limit = readCount('limit', parameters.limit, 0, faults);
  const offset = readCount('_offset', parameters.offset, 0, faults);
  if (requireLimit && parameters.limit === null && parameters.page === null && parameters.cursor === null) {
    faults.add(['query', 'limit'], 'Lists of this database need limit or page.', 'missing');
  }
  if (limit !== null && limit > ROWS_MAX)
    faults.add(
      ['query', 'limit'],
      `A page can have at most ${ROWS_MAX} rows.`,
      'less_than_equal',
      'Use page or _cursor, or read a stream with Accept: application/x-ndjson.',
      'limit.page_rows',
    );
  if (page !== null && offset !== null)
    faults.add(['query', '_offset'], 'page and _offset cannot be combined.', 'conflict');
  if (parameters.cursor !== null) {
    if (parameters.page !== null || parameters.offset !== null)
      faults.add(['query', '_cursor'], '_cursor cannot be combined with page or _offset.', 'conflict');
    return { limit: limit ?? PAGE_ROWS_DEFAULT, offset: 0, style: 'cursor', page: 1 };
  }
  const isAll = page === null && limit === null;
  const rows = limit ?? (isAll ? ROWS_MAX : PAGE_ROWS_DEFAULT);
  const window: ListWindow =
    offset === null
      ? { limit: rows, offset: ((page ?? 1) - 1) * rows, style: isAll ? 'all' : 'page', page: page ?? 1 }
      : { limit: limit ?? ROWS_MAX, offset, style: 'offset', page: 1 };
  if (window.offset + window.limit > REACH_MAX)
    faults.add(
      ['query', offset === null ? 'page' : '_offset'],
      `Pages end at ${REACH_MAX} rows.`,
      'less_than_equal',
      'Filter the list by its sort key to go further.',
    );
  return window;
}

/**
 * Parses digits with a value of at least `minimum`. Returns null without a value, and after adding a fault
 * for an invalid one.
 */
export function readCount(
  name: string,
  text: string | null,
  minimum: number,
  faults: FaultList,
): number | null {
  if (text === null) return null;
  const value = /^(?:0|[1-9]\d{0,9})$/.test(text) ? Number(text) : null;
  if (value === null && !/^-\d+$/.test(text))
    faults.add(['query', name], 'This is not an integer.', 'int_parsing');
  else if (value === null || value < minimum)
    faults.add(['query', name], `The value must be at least ${minimum}.`, 'greater_than_equal');
  else return value;
  return null;
}
