import { getRouteApi } from '@tanstack/react-router';
import type { SchemaSearch } from './schema-search.js';

const route = getRouteApi('/signed-in/projects/$projectId/$environment/schema');

/** Returns the current location on the schema page and a function that navigates within it. */
export function useSchemaLocation(): {
  place: SchemaSearch;
  goTo: (next: SchemaSearch, replace?: boolean) => void;
} {
  const location = route.useSearch();
  const navigate = route.useNavigate();
  return {
    place: location,
    goTo: (next, replace = false) => void navigate({ search: next, replace, resetScroll: false }),
  };
}
