import type { ProjectResponse, Role } from '@rowhouse/contracts';
import { isRoleAtLeast } from '@rowhouse/contracts/roles';
import { IconLock } from '@tabler/icons-react';
import classes from './role-note.module.css';
import { useRole } from './current-database.js';

/** A note about the role that an action needs. Members who have that role do not see it. */
export function RoleNote({
  project,
  least,
  toDo,
}: {
  project: Pick<ProjectResponse, 'organization_id'>;
  least: Role;
  toDo: string;
}) {
  const role = useRole(project.organization_id);
  if (isRoleAtLeast(role, least)) return null;
  return (
    <p className={classes.note}>
      <IconLock size={15} aria-hidden />
      <span>
        Your role here is {role}. To {toDo}, ask an owner or admin for the role {least}.
      </span>
    </p>
  );
}
