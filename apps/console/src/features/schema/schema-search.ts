export const SCHEMA_VIEWS = ['tables', 'diagram', 'sql', 'words', 'deploy', 'history'] as const;
export type SchemaView = (typeof SCHEMA_VIEWS)[number];

/** What the address of the room holds. */
export interface SchemaSearch {
  view?: SchemaView;
  table?: string;
  /** The table editor is open: for `table`, or for a new one. */
  edit?: 'table' | 'new';
}

export function readSchemaSearch(search: Record<string, unknown>): SchemaSearch {
  const view = SCHEMA_VIEWS.find((entry) => entry === search['view']);
  const edit = search['edit'] === 'table' || search['edit'] === 'new' ? search['edit'] : undefined;
  return {
    ...(view === undefined || view === 'tables' ? {} : { view }),
    // A table called 12 comes out of the address as a number.
    ...(typeof search['table'] === 'string' || typeof search['table'] === 'number' ? { table: String(search['table']) } : {}),
    ...(edit === undefined ? {} : { edit }),
  };
}
