import { IsNull, type EntityManager } from 'typeorm';
import { Invitation } from '../../platform-db/entities/invitation.js';
import { Membership } from '../../platform-db/entities/membership.js';
import { Organization } from '../../platform-db/entities/organization.js';
import { Project } from '../../platform-db/entities/project.js';

const NAMED_MAX = 5;

/**
 * Returns the names of an organization's projects as a phrase; null if it has no projects. Deleted projects
 * do not count.
 */
export async function nameProjects(manager: EntityManager, organizationId: string): Promise<string | null> {
  const projects = await manager.getRepository(Project).find({
    where: { organizationId, deletedAt: IsNull() },
    order: { createdAt: 'ASC' },
    select: { name: true },
  });
  if (projects.length === 0) return null;
  const named = projects.slice(0, NAMED_MAX).map((project) => project.name);
  return projects.length > NAMED_MAX
    ? `${named.join(', ')} and ${projects.length - NAMED_MAX} more`
    : named.join(', ');
}

/**
 * Deletes a locked organization without projects, together with its members and invitations. The audit log is
 * retained.
 */
export async function removeOrganization(manager: EntityManager, organizationId: string): Promise<void> {
  await manager.getRepository(Invitation).delete({ organizationId });
  await manager.getRepository(Membership).delete({ organizationId });
  await manager.getRepository(Organization).delete({ id: organizationId });
}
