import type { Role } from '@rowhouse/contracts';

/**
 * The kind of resource that `{id}` names. Each resource belongs to an organization, which determines the
 * caller's role.
 */
export type ResourceKind = 'organization' | 'project' | 'database' | 'key' | 'connection' | 'migration';

/**
 * The callers that a route admits. Each route declares one rule; the process does not start if a route
 * declares none.
 * - `public`: anyone. With `knowsCaller`, the handler is given the signed-in caller.
 * - `role`: members of the resource's organization with at least this role.
 */
export type AccessRule =
  | { readonly kind: 'public'; readonly knowsCaller?: true }
  | { readonly kind: 'account' }
  | { readonly kind: 'operator' }
  | {
      readonly kind: 'role';
      readonly on: ResourceKind;
      readonly least: Role;
      readonly param?: string;
      readonly deleted?: true;
    };

export const ANYONE: AccessRule = { kind: 'public' };
export const ANYONE_KNOWN: AccessRule = { kind: 'public', knowsCaller: true };
export const SIGNED_IN: AccessRule = { kind: 'account' };
export const OPERATOR: AccessRule = { kind: 'operator' };

/** Creates the rule of a route below `/{on}s/{id}`. */
export function roleOn(on: ResourceKind, least: Role): AccessRule {
  return { kind: 'role', on, least };
}
