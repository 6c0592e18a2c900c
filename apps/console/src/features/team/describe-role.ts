import type { Role } from '@rowhouse/contracts';
import { isRoleAtLeast } from '@rowhouse/contracts/roles';

/** The roles, the least first, with what each may do. */
export const ROLE_CHOICES: readonly { value: Role; title: string; text: string }[] = [
  { value: 'viewer', title: 'viewer', text: 'Reads rows, schemas and usage. Changes nothing, deploys nothing.' },
  { value: 'developer', title: 'developer', text: 'Also changes rows and schemas, deploys, makes keys and connections.' },
  { value: 'admin', title: 'admin', text: 'Also invites, removes, deletes projects, reads the audit trail.' },
  { value: 'owner', title: 'owner', text: 'Also makes owners.' },
];

/** What someone may give or touch: nothing above the own role. */
export function rolesUpTo(own: Role): Role[] {
  return ROLE_CHOICES.map((choice) => choice.value).filter((role) => isRoleAtLeast(own, role));
}
