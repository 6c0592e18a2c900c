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
