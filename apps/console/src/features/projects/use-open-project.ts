import type { ProjectResponse } from '@rowhouse/contracts';
import { useNavigate } from '@tanstack/react-router';
import { sortDatabases } from '../../data/projects/queries.js';
import type { SchemaView } from '../schema/schema-search.js';

/**
 * Opens a new project on its overview, or on the page where its first tables remain to be created. With
 * `replaces`, the browser's back button does not return to the form.
 */
export function useOpenProject(): (
  project: Pick<ProjectResponse, 'id' | 'databases'>,
  view: SchemaView | null,
  replaces: boolean,
) => void {
  const navigate = useNavigate();
  return ({ id: projectId, databases }, view, replace) => {
    if (view === null) void navigate({ to: '/projects/$projectId', params: { projectId }, replace });
    else
      void navigate({
        to: '/projects/$projectId/$environment/schema',
        params: { projectId, environment: sortDatabases(databases)[0]?.environment ?? 'development' },
        search: { view },
        replace,
      });
  };
}
