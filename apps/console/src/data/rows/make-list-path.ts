import { toTablePath } from '../gateway/gateway-address.js';
import type { TableView } from '../schema/read-tables.js';
import { isPlainName, writeParameterName } from './parameter-names.js';

export interface ListRequest {
  readonly filters: readonly (readonly [column: string, operator: string, value: string])[];
  /** As the data API has it, names quoted where they have to be: `writeSort`. */
  readonly sort: string | undefined;
  /** Columns to read; null: all. */
  readonly select: readonly string[] | null;
}

/** A column of a table that this one points at; a name of its own with dots reads alike. */
const PATH = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;
/** A longer list of columns might not fit into an address. */
const SELECT_LENGTH_MAX = 6_000;

/** The filters of a list as parameters of the data API, decoded: what the filter bar shows. */
export function listFilterParameters(filters: ListRequest['filters']): (readonly [name: string, value: string])[] {
  return filters.map(([column, operator, value]) => [`${PATH.test(column) ? column : writeParameterName(column)}__${operator}`, value] as const);
}

/** The address of a list below the data API. `extra` goes last: pages, counts. */
export function makeListPath(table: Pick<TableView, 'path'>, request: ListRequest, extra: readonly (readonly [string, string])[] = []): string {
  const select = request.select?.every(isPlainName) === true ? request.select.join(',') : null;
  const parameters = [
    ...listFilterParameters(request.filters),
    ...(request.sort === undefined ? [] : [['sort', request.sort] as const]),
    ...(select !== null && select.length <= SELECT_LENGTH_MAX ? [['_select', select] as const] : request.select?.includes('_etag') === true ? [['_select', '*,_etag'] as const] : []),
    ...extra,
  ];
  const query = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeValue(value)}`).join('&');
  return `${toTablePath(table)}${query === '' ? '' : `?${query}`}`;
}

/** Commas stay readable: they part columns and lists. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',');
}

/** The key of a record as its address has it: `7`, or `3,2`. Null where there is no key, or a part of it was not read. */
export function makeRowPath(table: Pick<TableView, 'primaryKey'>, values: Readonly<Record<string, unknown>>): string | null {
  if (table.primaryKey.length === 0) return null;
  const parts = table.primaryKey.map((name) => values[name]);
  if (parts.some((part) => part === null || part === undefined || typeof part === 'object')) return null;
  return parts.map((part) => encodeURIComponent(String(part as string | number | boolean))).join(',');
}
