import type { DatabaseResponse, ProjectResponse, Role } from '@rowhouse/contracts';
import { createContext, useContext } from 'react';
import { isRoleAtLeast } from '@rowhouse/contracts/roles';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../data/session/queries.js';

export interface CurrentDatabase {
  readonly project: ProjectResponse;
  readonly database: DatabaseResponse;
}

export const CurrentDatabaseContext = createContext<CurrentDatabase | null>(null);

/**
 * Returns the project and the database that the URL names. The project's layout renders its pages only after
 * both are loaded.
 */
export function useCurrentDatabase(): CurrentDatabase {
  const current = useContext(CurrentDatabaseContext);
  if (current === null) throw new Error('useCurrentDatabase must be called on a page of a project.');
  return current;
}

/** Returns the caller's role in an organization, or the least privileged role while it is loading. */
export function useRole(organizationId: string): Role {
  const session = useQuery(sessionQuery);
  return (
    session.data?.organizations.find((organization) => organization.id === organizationId)?.role ?? 'viewer'
  );
}

/**
 * Returns whether the caller has at least the role `least` in a project. The console uses this to hide
 * actions that the server would reject; only the server decides.
 */
export function useMay(project: Pick<ProjectResponse, 'organization_id'>, least: Role): boolean {
  return isRoleAtLeast(useRole(project.organization_id), least);
}
