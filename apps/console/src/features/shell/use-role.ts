import type { ProjectAnswer, Role } from '@rowhouse/contracts';
import { isRoleAtLeast } from '@rowhouse/contracts/roles';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../data/session/queries.js';

/** The caller's role in an organization; the least one until it is known. */
export function useRole(organizationId: string): Role {
  const session = useQuery(sessionQuery);
  return session.data?.organizations.find((organization) => organization.id === organizationId)?.role ?? 'viewer';
}

/** Whether the caller may do in a project what asks for `least`. The server decides; this only keeps screens from offering what it would refuse. */
export function useMay(project: Pick<ProjectAnswer, 'organization_id'>, least: Role): boolean {
  return isRoleAtLeast(useRole(project.organization_id), least);
}
