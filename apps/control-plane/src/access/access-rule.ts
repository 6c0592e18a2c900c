import type { Role } from '@rowhouse/contracts';

/** What a route's `{id}` names. Each leads to an organization, and there the caller's role is looked up. */
export type ResourceKind = 'organization' | 'project' | 'database' | 'key' | 'connection' | 'migration';

/**
 * Who may call a route. Every route declares one rule; a route without one stops the boot.
 * `public` with `knowsCaller`: anyone, and whoever is signed in is told to the route.
 * `role`: the caller is a member of the organization behind `param`, with at least this role.
 */
export type AccessRule =
  | { readonly kind: 'public'; readonly knowsCaller?: true }
  | { readonly kind: 'account' }
  | { readonly kind: 'operator' }
  | { readonly kind: 'role'; readonly on: ResourceKind; readonly least: Role; readonly param?: string; readonly deleted?: true };

export const ANYONE: AccessRule = { kind: 'public' };
export const ANYONE_KNOWN: AccessRule = { kind: 'public', knowsCaller: true };
export const SIGNED_IN: AccessRule = { kind: 'account' };
export const OPERATOR: AccessRule = { kind: 'operator' };

/** The rule of a route below `/{on}s/{id}`. */
export function roleOn(on: ResourceKind, least: Role): AccessRule {
  return { kind: 'role', on, least };
}
