import type { Role } from '@rowhouse/contracts';
import { isRoleAtLeast } from '@rowhouse/contracts/roles';

/** The roles from least to most privileged, with their permissions. */
export const ROLE_CHOICES: readonly { value: Role; title: string; text: string }[] = [
  { value: 'viewer', title: 'viewer', text: 'Reads rows, schemas and usage. Changes nothing, deploys nothing.' },
  { value: 'developer', title: 'developer', text: 'Also changes rows and schemas, deploys, makes keys and connections.' },
  { value: 'admin', title: 'admin', text: 'Also invites, removes, deletes projects, reads the audit trail.' },
  { value: 'owner', title: 'owner', text: 'Also makes owners.' },
];

/** Returns the roles that a member may assign or change, which are those up to the member's own. */
export function rolesUpTo(own: Role): Role[] {
  return ROLE_CHOICES.map((choice) => choice.value).filter((role) => isRoleAtLeast(own, role));
}
