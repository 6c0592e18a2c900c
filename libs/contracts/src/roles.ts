import type { Role } from './control-api/account-responses.js';

const RANKS: Readonly<Record<Role, number>> = { viewer: 1, developer: 2, admin: 3, owner: 4 };

/** Reports whether `role` has at least the rights of `least`. */
export function isRoleAtLeast(role: Role, least: Role): boolean {
  return RANKS[role] >= RANKS[least];
}
