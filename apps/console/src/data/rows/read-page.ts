import type { DatabaseResponse } from '@rowhouse/contracts';
import { readGateway } from '../gateway/call-gateway.js';
import type { TableView } from '../schema/read-tables.js';
import { UNREAD, type Row } from './cell-text.js';
import { canPageAlong } from './column-kinds.js';
import { makeListPath, type ListRequest } from './make-list-path.js';
import { listPreviewColumns, makePreviewsQuery, readPreviews } from './make-previews-query.js';
import { readSort } from './parameter-names.js';

/** The start of a page: after a key if the list allows it, and otherwise at an offset. */
export type PageStart =
  | { readonly kind: 'start' }
  | { readonly kind: 'cursor'; readonly cursor: string }
  | { readonly kind: 'offset'; readonly rows: number };

export interface RowPage {
  readonly rows: readonly Row[];
  readonly next: PageStart | null;
  /** Whether there are more rows, even if they are beyond the maximum offset. */
  readonly hasMore: boolean;
}

export const PAGE_ROWS = 100;
/** The maximum offset of the data API. */
const OFFSET_ROWS_MAX = 100_000;

/**
 * Loads a page of a list. Long values are left out; `readLongValues` loads their beginnings. Throws
 * `ApiError`.
 */
export async function readPage(
  database: DatabaseResponse,
  table: TableView,
  request: ListRequest,
  position: PageStart,
  signal?: AbortSignal,
): Promise<RowPage> {
  const long = listPreviewColumns(table).map((column) => column.name);
  const names = table.columns.map((column) => column.name);
  const requested = names.filter(
    (name) =>
      table.primaryKey.includes(name) ||
      (!long.includes(name) && (request.select === null || request.select.includes(name))),
  );
  const select = table.primaryKey.length > 0 ? [...requested, '_etag'] : requested;
  const isKeyset = canGoByKey(table, request.sort);
  const from: [string, string][] = isKeyset
    ? [['_cursor', position.kind === 'cursor' ? position.cursor : '']]
    : [['_offset', String(position.kind === 'offset' ? position.rows : 0)]];
  const path = makeListPath(table, { ...request, select }, [['limit', String(PAGE_ROWS)], ...from]);
  const { body: rows, headers } = await readGateway<Row[]>(database, {
    path,
    headers: { Prefer: 'numbers=string' },
    signal,
  });
  const unread = Object.fromEntries(long.map((name) => [name, UNREAD]));
  return {
    rows: long.length === 0 ? rows : rows.map((row) => ({ ...unread, ...row })),
    next: findNext(headers, position, rows.length),
    hasMore: hasMore(headers),
  };
}

function hasMore(headers: Headers): boolean {
  return headers.get('x-has-more') === 'true';
}

function findNext(headers: Headers, position: PageStart, count: number): PageStart | null {
  if (!hasMore(headers)) return null;
  const cursor = headers.get('x-next-cursor');
  if (cursor !== null) return { kind: 'cursor', cursor };
  const rows = (position.kind === 'offset' ? position.rows : 0) + count;
  return rows >= OFFSET_ROWS_MAX ? null : { kind: 'offset', rows };
}

/** Returns whether this list can be paged by key. Paging by key is fast for tables of any size. */
export function canGoByKey(table: TableView, sort: string | undefined): boolean {
  if (table.kind === 'view' || table.primaryKey.length === 0) return false;
  return readSort(sort).every((term) => {
    const column = table.columns.find((candidate) => candidate.name === term.column);
    return column === undefined || canPageAlong(column);
  });
}

/**
 * Loads the beginnings of long values. The result is keyed by the `keyTextOf` of each row. Throws `ApiError`.
 */
export async function readLongValues(
  database: DatabaseResponse,
  table: TableView,
  visible: readonly string[],
  rows: readonly Row[],
  signal?: AbortSignal,
): Promise<Map<string, Record<string, unknown>>> {
  const columns = listPreviewColumns(table).filter((column) => visible.includes(column.name));
  if (columns.length === 0 || rows.length === 0) return new Map();
  const { query, params } = makePreviewsQuery(table, columns, rows);
  const { body } = await readGateway<Row[]>(database, {
    method: 'POST',
    path: '/query',
    body: { query, params, mode: 'sql', limit: rows.length },
    signal,
  });
  return readPreviews(table, columns, body);
}
