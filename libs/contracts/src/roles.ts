import type { Role } from './control-api-answers.js';

const RANKS: Readonly<Record<Role, number>> = { viewer: 1, developer: 2, admin: 3, owner: 4 };

/** Whether `role` allows what `least` asks for. */
export function isRoleAtLeast(role: Role, least: Role): boolean {
  return RANKS[role] >= RANKS[least];
}
