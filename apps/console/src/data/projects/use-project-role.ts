import type { ProjectAnswer, Role } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../session/queries.js';

const RANKS: Readonly<Record<Role, number>> = { viewer: 1, developer: 2, admin: 3, owner: 4 };

/** The caller's role in a project. The server decides; this only spares people buttons that would be refused. */
export function useProjectRole(project: Pick<ProjectAnswer, 'organization_id'>): { role: Role; isAtLeast: (least: Role) => boolean } {
  const session = useQuery(sessionQuery);
  const role = session.data?.organizations.find((organization) => organization.id === project.organization_id)?.role ?? 'viewer';
  return { role, isAtLeast: (least) => RANKS[role] >= RANKS[least] };
}
