import type { DatabaseResponse, Scope } from '@rowhouse/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { isRecord } from '../client/api-error.js';
import { readGateway, toTablePath } from '../gateway/call-gateway.js';
import { readSessionKey } from '../gateway/session-keys.js';
import { readTables, type TableView } from '../schema/read-tables.js';
import { makeListPath, type ListRequest } from './make-list-path.js';
import { readPage, type RowPage, type PageStart } from './read-page.js';
import type { Row } from './cell-text.js';

export const rowKeys = {
  schema: (databaseId: string, snapshot: number) => ['rows', databaseId, 'schema', snapshot] as const,
  tables: (databaseId: string) => ['rows', databaseId, 'table'] as const,
  of: (databaseId: string, table: string) => ['rows', databaseId, 'table', table] as const,
  list: (databaseId: string, table: string, path: string) =>
    ['rows', databaseId, 'table', table, 'list', path] as const,
  count: (databaseId: string, table: string, path: string) =>
    ['rows', databaseId, 'table', table, 'count', path] as const,
  one: (databaseId: string, table: string, path: string) =>
    ['rows', databaseId, 'table', table, 'one', path] as const,
};

/** The deployed tables that the member's role may see, and what the role may do. */
export interface LiveSchema {
  readonly tables: readonly TableView[];
  readonly scopes: readonly Scope[];
}

export const liveSchemaQuery = (database: DatabaseResponse) =>
  queryOptions({
    queryKey: rowKeys.schema(database.id, database.snapshot_number),
    queryFn: async ({ signal }): Promise<LiveSchema> => {
      const { body } = await readGateway<unknown>(database, { path: '/schema', signal });
      return {
        tables: isRecord(body) ? readTables(body['tables']) : [],
        scopes: (await readSessionKey(database.id)).scopes,
      };
    },
    enabled: database.state === 'ready',
    staleTime: 30_000,
  });

/** The rows of a list, page by page. */
export const rowsQuery = (database: DatabaseResponse, table: TableView, request: ListRequest) => {
  const path = makeListPath(table, request);
  return infiniteQueryOptions({
    queryKey: rowKeys.list(database.id, table.name, path),
    queryFn: ({ pageParam, signal }): Promise<RowPage> =>
      readPage(database, table, request, pageParam, signal),
    initialPageParam: { kind: 'start' } as PageStart,
    getNextPageParam: (last) => last.next,
    // Rows are reloaded only on request, so that they do not move while the user reads them.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
};

/**
 * Loads the number of matching records. `estimated` is the engine's estimate, which exists only without
 * filters.
 */
export const countQuery = (
  database: DatabaseResponse,
  table: TableView,
  filters: ListRequest['filters'],
  how: 'estimated' | 'exact',
) => {
  const path = makeListPath(table, { filters, sort: undefined, select: null }, [
    ['_count', how],
    ['limit', '0'],
  ]);
  return queryOptions({
    queryKey: rowKeys.count(database.id, table.name, path),
    queryFn: async ({ signal }): Promise<number | null> => {
      const { headers } = await readGateway<unknown>(database, { path, signal });
      const total = headers.get('x-total-count');
      return total === null ? null : Number(total);
    },
    staleTime: 30_000,
    retry: false,
  });
};

/** One complete record with its ETag. */
export const recordQuery = (database: DatabaseResponse, table: TableView, path: string) =>
  queryOptions({
    queryKey: rowKeys.one(database.id, table.name, path),
    queryFn: async ({ signal }) => {
      const address = `${toTablePath(table)}/${path}`;
      const { body, headers } = await readGateway<Row>(database, {
        path: address,
        headers: { Prefer: 'numbers=string' },
        signal,
      });
      const documents = table.columns
        .filter((column) => column.valueKind === 'json')
        .map((column) => column.name);
      // JSON values are loaded a second time as they are stored. In the first response, large numbers are
      // strings and would be saved as strings.
      const stored =
        documents.length === 0 ? {} : (await readGateway<Row>(database, { path: address, signal })).body;
      return {
        values: { ...body, ...Object.fromEntries(documents.map((name) => [name, stored[name]])) },
        etag: headers.get('etag'),
      };
    },
    staleTime: 0,
    retry: false,
  });
