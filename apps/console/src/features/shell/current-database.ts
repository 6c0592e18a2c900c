import type { DatabaseAnswer, ProjectAnswer } from '@rowhouse/contracts';
import { createContext, useContext } from 'react';

export interface CurrentDatabase {
  readonly project: ProjectAnswer;
  readonly database: DatabaseAnswer;
}

export const CurrentDatabaseContext = createContext<CurrentDatabase | null>(null);

/** The project and database of the address; the project's layout renders its rooms only once both are known. */
export function useCurrentDatabase(): CurrentDatabase {
  const current = useContext(CurrentDatabaseContext);
  if (current === null) throw new Error('useCurrentDatabase is for rooms of a project.');
  return current;
}
