import type { ApiRequest, DeleteRequest, ListRequest } from '../request/api-request.js';
import { planAggregate } from './aggregate/plan-aggregate.js';
import { planExplain } from './plan-explain.js';
import { inBody } from '../request/fault-list.js';
import { planDeleteMany, planUpdateMany } from './write/plan-change-many.js';
import { planCreate, planUpdate } from './write/plan-record.js';
import { planConditions, requireIfMatch, planKey } from './write/record-target.js';
import { planList, planRead } from './list/plan-list.js';
import { planUpsert } from './write/plan-upsert.js';
import type { PlanOptions, Touch } from './plan-parts.js';
import type { DeletePlan, Plan } from './plan.js';

/**
 * Plans a parsed request: checks the names in it and converts its values. Throws AppError with status 404 for
 * a key that no record can have, and 422 for other faults.
 */
export function planRequest(request: ApiRequest, options: PlanOptions): Plan {
  return Object.freeze(planByKind(request, options));
}

function planByKind(request: ApiRequest, options: PlanOptions): Plan {
  switch (request.kind) {
    case 'list':
      return request.address.isBody === true
        ? inBody(() => planListKind(request, options))
        : planListKind(request, options);
    case 'read':
      return planRead(request, options);
    case 'create':
      return request.parameters.onConflict === null
        ? planCreate(request, options)
        : planUpsert(request, request.parameters.onConflict, options);
    case 'update':
      return planUpdate(request, options);
    case 'update_many':
      return planUpdateMany(request, options);
    case 'delete_many':
      return planDeleteMany(request, options);
    case 'delete':
      return planDelete(request, options);
  }
}

/** Plans a list of records, a list of groups, or an EXPLAIN of either. */
function planListKind(request: ListRequest, options: PlanOptions): Plan {
  const { parameters } = request;
  const { aggregate, group, having } = parameters;
  const isAggregate = aggregate !== null || group !== null || having !== null;
  const plan = isAggregate ? planAggregate(request, options) : planList(request, options);
  return parameters.explain === null ? plan : planExplain(plan, parameters.explain);
}

function planDelete(request: DeleteRequest, options: PlanOptions): DeletePlan {
  const { table, preferences } = request;
  const touches: Touch[] = [{ table: table.name, verb: 'delete' }];
  const conditions = planConditions(table, request, options);
  if (preferences.transaction === 'rollback' || conditions !== null)
    touches.push({ table: table.name, verb: 'read' });
  const key = planKey(table, request.key);
  requireIfMatch(table, request.ifMatch, options);
  return { kind: 'delete', table, touches, address: request.address, preferences, key, conditions };
}
