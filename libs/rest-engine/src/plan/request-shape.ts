import type { RawRequest } from '../request/api-request.js';
import { CONTROLS } from '../request/parameter-words.js';

/**
 * The form of a request. Requests that only differ in `rawKey`, `values`, `cursor` and their bodies have the
 * same `name`.
 */
export interface RequestShape {
  readonly name: string;
  /** The raw `{id}`, or null for a list or a create. */
  readonly rawKey: string | null;
  /** The values of the filters in order, as sent. */
  readonly values: readonly string[];
  /** The cursor as sent, or null for a list without one. */
  readonly cursor: string | null;
}

const NAME_CHARACTERS_MAX = 400;
/**
 * One or two segments of plain characters, without escapes, commas and reserved words, which begin with other
 * characters.
 */
const PLAIN_PATH = /^\/([A-Za-z0-9][\w-]*)(?:\/([\w-]+))?$/;
/**
 * Parameters that are part of the name with their values, because they determine what is read. In practice,
 * few different values recur.
 */
const LITERALS: ReadonlySet<string> = new Set([
  'limit',
  'sort',
  'order',
  'include',
  '_select',
  '_omit',
  '_count',
]);
/** The characters of cursors. */
const PLAIN_CURSOR = /^[\w.-]*$/;
const PLAIN_ACCEPTS: ReadonlySet<unknown> = new Set([undefined, '*/*', 'application/json']);

/**
 * Returns the shape of an ordinary read. Returns null for other requests, which must be parsed completely.
 */
export function readShape({ method, rawPath, rawQuery, headers }: RawRequest): RequestShape | null {
  if (
    (method !== 'GET' && method !== 'HEAD') ||
    headers['prefer'] !== undefined ||
    !PLAIN_ACCEPTS.has(headers['accept'])
  )
    return null;
  const path = PLAIN_PATH.exec(rawPath);
  if (path === null) return null;
  const rawKey = path[2] ?? null;
  const taken: Taken = { values: [], cursor: null };
  const name = nameQuery(`${rawKey === null ? 'l' : 'r'}/${path[1] ?? ''}?`, rawQuery, taken);
  return name === null || (rawKey !== null && (taken.values.length > 0 || taken.cursor !== null))
    ? null
    : { name, rawKey, values: taken.values, cursor: taken.cursor };
}

/** The values and the cursor, which are removed from the name. */
interface Taken {
  readonly values: string[];
  cursor: string | null;
}

const NO_VALUES: readonly string[] = Object.freeze([]);

/**
 * Returns the shape of an ordinary create, update or delete of one record, without preferences or conditions.
 * Returns null for other requests.
 */
export function readWriteShape({ method, rawPath, rawQuery, headers }: RawRequest): RequestShape | null {
  if (
    rawQuery !== '' ||
    headers['prefer'] !== undefined ||
    headers['if-match'] !== undefined ||
    headers['if-none-match'] !== undefined ||
    headers['idempotency-key'] !== undefined ||
    !PLAIN_ACCEPTS.has(headers['accept'])
  )
    return null;
  const path = PLAIN_PATH.exec(rawPath);
  const rawKey = path?.[2] ?? null;
  const mark =
    rawKey === null
      ? method === 'POST'
        ? 'c'
        : null
      : method === 'PUT' || method === 'PATCH'
        ? 'u'
        : method === 'DELETE'
          ? 'd'
          : null;
  return path === null || mark === null
    ? null
    : { name: `${mark}/${path[1] ?? ''}`, rawKey, values: NO_VALUES, cursor: null };
}

function nameQuery(head: string, rawQuery: string, taken: Taken): string | null {
  let name = head;
  for (let start = 0; start < rawQuery.length;) {
    const mark = rawQuery.indexOf('&', start);
    const end = mark < 0 ? rawQuery.length : mark;
    const cutIndex = rawQuery.indexOf('=', start);
    if (cutIndex < 0 || cutIndex > end) return null;
    const key = rawQuery.slice(start, cutIndex);
    if (LITERALS.has(key)) name += `${rawQuery.slice(start, end)}&`;
    else if (key === '_cursor') {
      const cursor = rawQuery.slice(cutIndex + 1, end);
      if (taken.cursor !== null || !PLAIN_CURSOR.test(cursor)) return null;
      taken.cursor = cursor;
      name += '_cursor=&';
    } else if (CONTROLS.has(key) || key.includes('%') || key.includes('[')) return null;
    else {
      name += `${key}=&`;
      taken.values.push(rawQuery.slice(cutIndex + 1, end));
    }
    if (name.length > NAME_CHARACTERS_MAX) return null;
    start = end + 1;
  }
  return name;
}
