import type { Role } from '@rowhouse/contracts';
import { isRoleAtLeast } from '@rowhouse/contracts/roles';

/** The roles from the least to the most privileged, with a text about what each permits. */
export const ROLE_CHOICES: readonly { value: Role; title: string; text: string }[] = [
  {
    value: 'viewer',
    title: 'viewer',
    text: 'Can view rows, schemas and usage. Can’t change or deploy anything.',
  },
  {
    value: 'developer',
    title: 'developer',
    text: 'Can also edit rows and schemas, deploy, and create keys and connections.',
  },
  {
    value: 'admin',
    title: 'admin',
    text: 'Can also manage members, delete projects and view the audit log.',
  },
  { value: 'owner', title: 'owner', text: 'Can also manage owners.' },
];

/**
 * Returns the roles that a member may assign or change. These are the member's own role and the less
 * privileged ones.
 */
export function rolesUpTo(own: Role): Role[] {
  return ROLE_CHOICES.map((choice) => choice.value).filter((role) => isRoleAtLeast(own, role));
}
