import type { UpdateRequest } from '../request/api-request.js';
import { createFaultList } from '../request/fault-list.js';
import type { NestedUpdatePlan } from './nested/nested-plan.js';
import { planNestedUpdate } from './nested/plan-nested-update.js';
import { readObject } from './plan-body.js';
import { planChanges, type ChangeNotes } from './plan-changes.js';
import { planConditions, requireIfMatch } from './plan-if-match.js';
import { planKey } from './plan-key.js';
import type { PlanOptions, Touch, UpdatePlan } from './plan.js';

/** Plans a PUT or PATCH, which are equivalent. Columns that the body omits keep their values. */
export function planUpdate(request: UpdateRequest, options: PlanOptions): UpdatePlan | NestedUpdatePlan {
  const { table, preferences } = request;
  const key = [...planKey(table, request.key)];
  requireIfMatch(table, request.ifMatch, options);
  const faults = createFaultList('body.invalid');
  const object = readObject(request.body, ['body'], faults);
  const noted: ChangeNotes = { claims: [], hasOddDays: false, isNested: false };
  const changes = object === null ? [] : planChanges(table, object, key, options, faults, noted);
  if (noted.isNested) return planNestedUpdate(request, options);
  faults.throwIfAny();
  const { claims, hasOddDays } = noted;
  const touches: Touch[] = [{ table: table.name, verb: 'write' }];
  const conditions = planConditions(table, request, options);
  if (preferences.transaction === 'rollback' || conditions !== null || claims.length > 0)
    touches.push({ table: table.name, verb: 'read' });
  const isMinimal = preferences.result === 'minimal' || !table.verbs.includes('read');
  return {
    kind: 'update',
    table,
    touches,
    address: request.address,
    preferences,
    key,
    conditions,
    changes,
    ...(claims.length > 0 ? { claims } : {}),
    ...(hasOddDays ? { hasOddDays } : {}),
    answer: isMinimal ? null : table.shown,
  };
}
