import type { Rights } from '@rowhouse/schema-model';
import type { Plan } from './plan.js';

/** The plan itself, or 403 `auth.scope` that names scope and table. */
export function authorizePlan(_plan: Plan, _rights: Rights): Plan {
  throw new Error("not filled in");
}
