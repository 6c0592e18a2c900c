import type { QueryParameters } from '../../request/api-request.js';
import type { FaultList } from '../../request/fault-list.js';
import type { AggregatePlan } from '../aggregate/aggregate-plan.js';
import { findUnfit } from './plan-cursor.js';
import type { ListWindow } from '../plan-parts.js';
import type { ListPlan } from '../plan.js';

export const ROWS_MAX = 1000;

const PAGE_ROWS_DEFAULT = 20;

/**
 * The maximum number of rows that a list may reach from its start (offset plus limit). The server reads every
 * row that OFFSET skips.
 */
export const REACH_MAX = 100_000;
/** The plans that can be streamed: lists of records or groups. */
export type StreamPlan = ListPlan | AggregatePlan;

/** The LIMIT of a list without a limit. */
const ROWS_UNBOUNDED = Number.MAX_SAFE_INTEGER;

/**
 * Returns the offset and limit of a stream. A stream contains all records unless the request limits it: there
 * is no default limit, and only the offset has a maximum.
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

/** Reports whether a stream contains all records, so that no page follows. */
export function isWholeWindow({ limit, offset }: ListWindow): boolean {
  return limit === ROWS_UNBOUNDED && offset === 0;
}

/**
 * Adds faults for features that streams do not support, because each record is sent as soon as it is read.
 */
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
 * Reports whether a stream can be read in several statements, each of which continues after the last record
 * of the previous one. This is not possible for views, tables without a key, distinct rows, groups, and an
 * order by columns that do not compare exactly. Those streams are read by one statement.
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

/** Returns the offset and limit of a list. Without a page and a limit, the first 1,000 rows are returned. */
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
 * Parses a number in digits that must be at least `minimum`. Returns null if the text is absent or invalid.
 * An invalid text also adds a fault.
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
