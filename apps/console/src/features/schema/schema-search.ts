import { getRouteApi } from '@tanstack/react-router';

const route = getRouteApi('/signed-in/projects/$projectId/$environment/schema');
export const SCHEMA_VIEWS = ['tables', 'diagram', 'sql', 'describe', 'deploy', 'history'] as const;
export type SchemaView = (typeof SCHEMA_VIEWS)[number];

/** The search parameters of the schema page. */
export interface SchemaSearch {
  view?: SchemaView;
  table?: string;
  /** Whether the table editor is open: `table` for the table in the URL, `new` for a new table. */
  edit?: 'table' | 'new';
}

export function readSchemaSearch(search: Record<string, unknown>): SchemaSearch {
  const view = SCHEMA_VIEWS.find((entry) => entry === search['view']);
  const edit = search['edit'] === 'table' || search['edit'] === 'new' ? search['edit'] : undefined;
  return {
    ...(view === undefined || view === 'tables' ? {} : { view }),
    // A table may be named 12, and the router parses this name as a number.
    ...(typeof search['table'] === 'string' || typeof search['table'] === 'number'
      ? { table: String(search['table']) }
      : {}),
    ...(edit === undefined ? {} : { edit }),
  };
}

/** Returns the current parameters of the schema page and a function that changes them. */
export function useSchemaLocation(): {
  location: SchemaSearch;
  goTo: (next: SchemaSearch, replace?: boolean) => void;
} {
  const location = route.useSearch();
  const navigate = route.useNavigate();
  return {
    location,
    goTo: (next, replace = false) => void navigate({ search: next, replace, resetScroll: false }),
  };
}
