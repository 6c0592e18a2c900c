import { faultAt, validationError } from '@rowhouse/errors';
import type { DeleteManyRequest, UpdateManyRequest } from '../request/api-request.js';
import { createFaultList } from '../request/fault-list.js';
import { isJsonArray } from '../request/json-kind.js';
import { collectTouches } from './collect-touches.js';
import { createConditionBudget } from './condition-budget.js';
import { readObject } from './plan-body.js';
import { planFilters } from './plan-filter.js';
import { isConstant } from './is-constant.js';
import { requireIfMatch } from './plan-if-match.js';
import type { Condition } from './condition.js';
import type { ChangeManyPlan, DeleteManyPlan, PlanOptions, Touch, UpdateManyPlan } from './plan.js';
import { planChanges } from './plan-changes.js';

/** The maximum number of records that a write by filter changes without `max-affected`. */
const MAX_AFFECTED = 100;

/** The hint for tables that require If-Match, which is a condition on one record. */
const MANY_HINT =
  'Write the records one by one, or together by /_batch, each with the ETag that it was read with.';
const EACH_HINT =
  'Records that each get values of their own are changed together by POST /_batch, or created or changed by POST /{table}?_on_conflict={key}.';

/** Plans a PUT or PATCH of every record that matches the filters. */
export function planUpdateMany(request: UpdateManyRequest, options: PlanOptions): UpdateManyPlan {
  requireIfMatch(request.table, null, options, MANY_HINT);
  if (isJsonArray(request.body))
    throw validationError(
      'body.invalid',
      [faultAt(['body'], 'All records that the filters find get the values of one object.', 'dict_type')],
      EACH_HINT,
    );
  const { where, hasRegex } = planWhere(request, options);
  const faults = createFaultList('body.invalid');
  const object = readObject(request.body, ['body'], faults);
  let hasOddDays = false;
  const own = { ...options, noteOddDay: () => void (hasOddDays = true) };
  const changes = object === null ? [] : planChanges(request.table, object, null, own, faults);
  if (object?.size === 0) faults.add(['body'], 'The body names no column.', 'too_short');
  faults.throwIfAny();
  return {
    kind: 'update_many',
    ...planBase(request, 'write', where),
    changes,
    hasRegex,
    ...(hasOddDays ? { hasOddDays } : {}),
  };
}

export function planDeleteMany(request: DeleteManyRequest, options: PlanOptions): DeleteManyPlan {
  requireIfMatch(request.table, null, options, MANY_HINT);
  const { where, hasRegex } = planWhere(request, options);
  return { kind: 'delete_many', ...planBase(request, 'delete', where), hasRegex };
}

function planWhere(
  { table, parameters }: UpdateManyRequest | DeleteManyRequest,
  options: PlanOptions,
): { where: readonly Condition[]; hasRegex: boolean } {
  const faults = createFaultList('params.invalid');
  const budget = createConditionBudget(faults, options);
  const where = planFilters(table, parameters, faults, budget);
  faults.throwIfAny();
  if (where.every(isConstant)) {
    faults.add(
      ['query'],
      'A write of many records needs a filter.',
      'missing',
      'Name the records, as in ?status=old, or one of them: /{table}/{id}.',
    );
    faults.throwIfAny();
  }
  return { where, hasRegex: budget.hasRegex() };
}

/**
 * Returns the common part of the plan. Finding records requires the right to read them, because the number of
 * matches reveals stored values.
 */
function planBase(
  request: UpdateManyRequest | DeleteManyRequest,
  verb: 'write' | 'delete',
  where: readonly Condition[],
): Omit<ChangeManyPlan, 'kind' | 'hasRegex'> {
  const { table, address, preferences } = request;
  const touches: Touch[] = [...collectTouches(table, verb, [], [], where)];
  if (!touches.some((touch) => touch.table === table.name && touch.verb === 'read'))
    touches.push({ table: table.name, verb: 'read' });
  const answer = preferences.result === 'representation' && table.rowKey !== null ? table.shown : null;
  return {
    table,
    touches,
    address,
    preferences,
    where,
    maxAffected: preferences.maxAffected ?? MAX_AFFECTED,
    answer,
  };
}
