import { REACH_MAX } from '../plan/list/plan-window.js';
import type { ListWindow } from '../plan/plan-parts.js';
import type { ListPlan } from '../plan/plan.js';

import { neededColumns } from '../sql/read/include-keys.js';
import type { ResultSet } from '../sql/statement.js';

/** The cursors of the next and the previous page. Each is null if there is no such page. */
interface Cursors {
  readonly next: string | null;
  readonly prev: string | null;
}

const NOWHERE: Cursors = Object.freeze({ next: null, prev: null });
/** The plan of a list of records or groups that has pages. */
export type Paged = Pick<ListPlan, 'address' | 'window'>;

const LENGTH_MAX = 4096;
const PLACE_WORDS = new Set(['page', 'limit', '_offset']);

/**
 * Returns the `Link` header of a list with numbered pages. Its relative URLs repeat all parameters of the
 * request except the page. Returns null if there is no other page, or if the header would be too long.
 */
export function makeLink(plan: Paged, hasMore: boolean): string | null {
  const { window } = plan;
  if (window.limit === 0 || plan.address.isBody === true) return null;
  if (!hasMore && window.offset === 0) return null;
  const links: string[] = [];
  const start = startOfAddress(plan);
  const add = (rel: string, listWindow: ListWindow): void => {
    links.push(
      `<${start}${window.style === 'offset' ? `_offset=${listWindow.offset}` : `page=${listWindow.page}`}&limit=${listWindow.limit}>; rel="${rel}"`,
    );
  };
  const next = move(window, 1);
  if (hasMore && next.offset + next.limit <= REACH_MAX) add('next', next);
  if (window.offset > 0) add('prev', move(window, -1));
  if (hasMore || window.offset > 0) add('first', { ...window, offset: 0, page: 1 });
  const text = links.join(', ');
  return text === '' || text.length > LENGTH_MAX ? null : text;
}

/** Returns the `Link` header of a list with cursors. */
export function makeCursorLink(plan: ListPlan, cursors: Cursors): string | null {
  if (plan.address.isBody === true) return null;
  const links: string[] = [];
  const start = startOfCursors(plan);
  if (cursors.next !== null) links.push(`<${start}${cursors.next}>; rel="next"`);
  if (cursors.prev !== null) links.push(`<${start}${cursors.prev}>; rel="prev"`);
  if (plan.cursor?.after !== null) links.push(`<${start}>; rel="first"`);
  const text = links.join(', ');
  return text === '' || text.length > LENGTH_MAX ? null : text;
}

/**
 * Returns the URL of the request with all parameters except the cursor, followed by `_cursor=`. A cursor
 * needs no escapes.
 */
function startOfCursors({ address: { prefix, rawPath, rawQuery } }: ListPlan): string {
  let text = `${prefix}${rawPath}?`;
  for (const part of rawQuery.split('&'))
    if (part !== '' && part !== '_cursor' && !part.startsWith('_cursor=')) text += `${part}&`;
  return escapeRaw(`${text}_cursor=`);
}

function move(window: ListWindow, pages: number): ListWindow {
  return { ...window, offset: Math.max(0, window.offset + pages * window.limit), page: window.page + pages };
}

/**
 * Returns the URL of the request with all parameters except the position in the list. The caller appends the
 * new position.
 */
function startOfAddress({ address: { prefix, rawPath, rawQuery } }: Paged): string {
  let text = `${prefix}${rawPath}?`;
  for (const part of rawQuery.split('&')) {
    const cutIndex = part.indexOf('=');
    if (part !== '' && !PLACE_WORDS.has(cutIndex < 0 ? part : part.slice(0, cutIndex))) text += `${part}&`;
  }
  return escapeRaw(text);
}

const UNSAFE = /[^!#-;=?-[\]_a-z~]/;

/** Escapes raw bytes, and characters that would end a URL in a header. */
function escapeRaw(address: string): string {
  if (!UNSAFE.test(address)) return address;
  return address.replace(
    /[^!#-;=?-[\]_a-z~]/g,
    (char) => `%${(char.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/**
 * Creates the cursors of the pages around the first `rows` records of `records`. The records are in the order
 * in which the statement read them.
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
  // The page that the client came from always exists, so only the other direction depends on `hasMore`.
  const hasNext = isForward ? hasMore : true;
  const hasPrevious = isForward ? cursor.after !== null : hasMore;
  return {
    next: hasNext ? cursor.make(valuesOf(last), 'next') : null,
    prev: hasPrevious ? cursor.make(valuesOf(first), 'prev') : null,
  };
}
