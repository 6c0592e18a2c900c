import type { QueryParameters } from '../request/api-request.js';
import type { FaultList } from '../request/fault-list.js';
import type { ListWindow } from './plan.js';

export const ROWS_MAX = 1000;
export const PAGE_ROWS_DEFAULT = 20;
/** The maximum number of rows from the start of a list. The server reads every row that OFFSET skips. */
export const REACH_MAX = 100_000;

/** Returns the requested rows of the list. Without page and limit, these are up to 1,000 from the start. */
export function planWindow(
  parameters: QueryParameters,
  requireLimit: boolean,
  faults: FaultList,
): ListWindow {
  const page = readCount('page', parameters.page, 1, faults);
  const limit = readCount('limit', parameters.limit, 0, faults);
  const offset = readCount('_offset', parameters.offset, 0, faults);
  if (requireLimit && parameters.limit === null && parameters.page === null && parameters.cursor === null) {
    faults.add(['query', 'limit'], 'Lists of this database ask for a limit.', 'missing');
  }
  if (limit !== null && limit > ROWS_MAX)
    faults.add(
      ['query', 'limit'],
      `A page has at most ${ROWS_MAX} rows.`,
      'less_than_equal',
      'Go on by page or _cursor, or read all of it as a stream: Accept: application/x-ndjson.',
      'limit.page_rows',
    );
  if (page !== null && offset !== null)
    faults.add(['query', '_offset'], 'Give page or _offset, not both.', 'conflict');
  if (parameters.cursor !== null) {
    if (parameters.page !== null || parameters.offset !== null)
      faults.add(['query', '_cursor'], 'A cursor stands instead of page and _offset.', 'conflict');
    return { limit: limit ?? PAGE_ROWS_DEFAULT, offset: 0, style: 'cursor', page: 1 };
  }
  if (offset !== null)
    return checkReach({ limit: limit ?? ROWS_MAX, offset, style: 'offset', page: 1 }, '_offset', faults);
  const isAll = page === null && limit === null;
  const rows = limit ?? (isAll ? ROWS_MAX : PAGE_ROWS_DEFAULT);
  return checkReach(
    { limit: rows, offset: ((page ?? 1) - 1) * rows, style: isAll ? 'all' : 'page', page: page ?? 1 },
    'page',
    faults,
  );
}

function checkReach(window: ListWindow, name: string, faults: FaultList): ListWindow {
  if (window.offset + window.limit > REACH_MAX) {
    faults.add(
      ['query', name],
      `Lists reach ${REACH_MAX} rows deep.`,
      'less_than_equal',
      'Filter the list by its sort key to go further.',
    );
  }
  return window;
}

/**
 * Parses digits with a value of at least `minimum`. Returns null without a value, and after adding a fault for
 * an invalid one.
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
    faults.add(['query', name], `The least is ${minimum}.`, 'greater_than_equal');
  else return value;
  return null;
}
