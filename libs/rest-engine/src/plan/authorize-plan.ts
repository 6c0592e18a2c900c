import { AppError } from '@rowhouse/errors';
import { effectiveVerbs, type Rights } from '@rowhouse/schema-model';
import type { Plan } from './plan.js';

/**
 * Returns the plan if the key has all required rights. Throws 403 `auth.scope` with the missing scope and
 * table otherwise. Tables without any right were already reported as unknown. `scopes` are the scopes of the
 * key that do not concern a table.
 */
export function authorizePlan(plan: Plan, rights: Rights, scopes: readonly string[] = []): Plan {
  if (plan.kind === 'explain' && !scopes.includes('query')) {
    throw new AppError('auth.scope', {
      detail: 'The key does not have the scope "query": with it _explain shows how a list is read.',
      extra: { scope: 'query' },
    });
  }
  for (const { table, verb } of plan.touches) {
    const verbs = effectiveVerbs(rights, table);
    if (verbs?.includes(verb) === true) continue;
    throw new AppError('auth.scope', {
      detail: `The key does not have the scope "${verb}" on ${table}.`,
      extra: { scope: verb, table },
    });
  }
  return plan;
}
