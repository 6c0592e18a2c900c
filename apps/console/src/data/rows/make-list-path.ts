import { toTablePath } from '../gateway/call-gateway.js';
import type { TableView } from '../schema/read-tables.js';
import { isPlainName, writeParameterName } from './parameter-names.js';

export interface ListRequest {
  readonly filters: readonly (readonly [column: string, operator: string, value: string])[];
  /** The sort order as the data API expects it. See `writeSort`. */
  readonly sort: string | undefined;
  /** The columns to load. With null, all columns are loaded. */
  readonly select: readonly string[] | null;
}

/**
 * Matches the path to a column of a referenced table, such as `author.name`. A column whose name contains
 * dots matches too.
 */
const PATH = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;
/** The maximum length of `select` in characters. A longer list of columns may not fit into a URL. */
const SELECT_LENGTH_MAX = 6_000;

/** Returns the filters of a list as parameters of the data API, without URL encoding, for the filter bar. */
export function listFilterParameters(
  filters: ListRequest['filters'],
): (readonly [name: string, value: string])[] {
  return filters.map(
    ([column, operator, value]) =>
      [`${PATH.test(column) ? column : writeParameterName(column)}__${operator}`, value] as const,
  );
}

/** Returns the path of a list request to the data API. The parameters in `extra` come last. */
export function makeListPath(
  table: Pick<TableView, 'path'>,
  request: ListRequest,
  extra: readonly (readonly [string, string])[] = [],
): string {
  const select = request.select?.every(isPlainName) === true ? request.select.join(',') : null;
  const parameters = [
    ...listFilterParameters(request.filters),
    ...(request.sort === undefined ? [] : [['sort', request.sort] as const]),
    ...(select !== null && select.length <= SELECT_LENGTH_MAX
      ? [['_select', select] as const]
      : request.select?.includes('_etag') === true
        ? [['_select', '*,_etag'] as const]
        : []),
    ...extra,
  ];
  const query = parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeValue(value)}`)
    .join('&');
  return `${toTablePath(table)}${query === '' ? '' : `?${query}`}`;
}

/** Encodes a value for a URL. Commas are not encoded, because they separate columns and list items. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',');
}

/**
 * Returns a record's key for its URL, such as `7` or `3,2`. Returns null if the table has no key, or if a
 * part of the key was not loaded.
 */
export function makeRowPath(
  table: Pick<TableView, 'primaryKey'>,
  values: Readonly<Record<string, unknown>>,
): string | null {
  if (table.primaryKey.length === 0) return null;
  const parts = table.primaryKey.map((name) => values[name]);
  if (parts.some((part) => part === null || part === undefined || typeof part === 'object')) return null;
  return parts.map((part) => encodeURIComponent(String(part as string | number | boolean))).join(',');
}
