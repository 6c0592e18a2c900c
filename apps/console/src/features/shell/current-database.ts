import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { createContext, useContext } from 'react';

export interface CurrentDatabase {
  readonly project: ProjectResponse;
  readonly database: DatabaseResponse;
}

export const CurrentDatabaseContext = createContext<CurrentDatabase | null>(null);

/**
 * Returns the project and the database in the URL. The project's layout renders pages only once both are
 * loaded.
 */
export function useCurrentDatabase(): CurrentDatabase {
  const current = useContext(CurrentDatabaseContext);
  if (current === null) throw new Error('useCurrentDatabase is for rooms of a project.');
  return current;
}
