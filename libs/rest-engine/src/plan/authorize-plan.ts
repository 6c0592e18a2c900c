import { AppError } from '@rowhouse/errors';
import { effectiveVerbs, type Rights } from '@rowhouse/schema-model';
import type { Plan } from './plan.js';

/** The plan itself, or 403 `auth.scope` that names scope and table. Tables without any right were never found. */
export function authorizePlan(plan: Plan, rights: Rights): Plan {
  for (const { table, verb } of plan.touches) {
    const verbs = effectiveVerbs(rights, table);
    if (verbs?.includes(verb) === true) continue;
    throw new AppError('auth.scope', { detail: `The key does not have the scope "${verb}" on ${table}.`, extra: { scope: verb, table } });
  }
  return plan;
}
