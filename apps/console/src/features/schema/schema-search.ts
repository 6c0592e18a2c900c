import { getRouteApi } from '@tanstack/react-router';

const route = getRouteApi('/signed-in/projects/$projectId/$environment/schema');
export const SCHEMA_VIEWS = ['tables', 'diagram', 'sql', 'describe', 'deploy', 'history'] as const;
export type SchemaView = (typeof SCHEMA_VIEWS)[number];

/** The search parameters of the schema page. */
export interface SchemaSearch {
  view?: SchemaView;
  table?: string;
  /** Whether the table editor is open, for `table` or for a new table. */
  edit?: 'table' | 'new';
}

export function readSchemaSearch(search: Record<string, unknown>): SchemaSearch {
  const view = SCHEMA_VIEWS.find((entry) => entry === search['view']);
  const edit = search['edit'] === 'table' || search['edit'] === 'new' ? search['edit'] : undefined;
  return {
    ...(view === undefined || view === 'tables' ? {} : { view }),
    // The router parses a table named 12 as a number.
    ...(typeof search['table'] === 'string' || typeof search['table'] === 'number'
      ? { table: String(search['table']) }
      : {}),
    ...(edit === undefined ? {} : { edit }),
  };
}

/** Returns the current location on the schema page and a function that navigates within it. */
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
