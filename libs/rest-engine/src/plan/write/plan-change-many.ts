import { faultAt, validationError } from '@rowhouse/errors';
import type { DeleteManyRequest, UpdateManyRequest } from '../../request/api-request.js';
import { createFaultList } from '../../request/fault-list.js';
import { isJsonArray } from '../../request/json-value.js';
import { collectTouches } from '../authorize-plan.js';
import { createConditionBudget } from '../filter/condition-budget.js';
import { readObject } from './plan-body.js';
import { planFilters } from '../filter/plan-filter.js';
import { requireIfMatch } from './record-target.js';
import type { Condition } from '../filter/condition.js';
import type { PlanOptions, Touch } from '../plan-parts.js';
import type { ChangeManyPlan, DeleteManyPlan, UpdateManyPlan } from '../plan.js';
import { planChanges } from './plan-changes.js';

/** The maximum number of records that a write by filter changes without `max-affected`. */
const MAX_AFFECTED = 100;

/**
 * The hint for tables whose records can only be changed with `If-Match`. That header applies to a single
 * record.
 */
const MANY_HINT = 'Write the records one by one or with /_batch, each with its ETag.';
const EACH_HINT = 'To give each record its own values, use POST /_batch or POST /{table}?_on_conflict={key}.';

/** Plans a PUT or PATCH of every record that matches the filters. */
export function planUpdateMany(request: UpdateManyRequest, options: PlanOptions): UpdateManyPlan {
  requireIfMatch(request.table, null, options, MANY_HINT);
  if (isJsonArray(request.body))
    throw validationError(
      'body.invalid',
      [
        faultAt(
          ['body'],
          'The body must be one object, whose values apply to all matching records.',
          'dict_type',
        ),
      ],
      EACH_HINT,
    );
  const { where, hasRegex } = planWhere(request, options);
  const faults = createFaultList('body.invalid');
  const object = readObject(request.body, ['body'], faults);
  let hasZeroDate = false;
  const own = { ...options, noteZeroDate: () => void (hasZeroDate = true) };
  const changes = object === null ? [] : planChanges(request.table, object, null, own, faults);
  if (object?.size === 0) faults.add(['body'], 'The body has no columns.', 'too_short');
  faults.throwIfAny();
  return {
    kind: 'update_many',
    ...planBase(request, 'write', where),
    changes,
    hasRegex,
    ...(hasZeroDate ? { hasZeroDate } : {}),
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
      'Add a filter such as ?status=old, or write to one record: /{table}/{id}.',
    );
    faults.throwIfAny();
  }
  return { where, hasRegex: budget.hasRegex() };
}

/**
 * Returns the common part in the plans of updates and deletes. The API key needs the right to read, because
 * the number of matching records reveals stored values.
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
  const returned = preferences.result === 'representation' && table.rowKey !== null ? table.shown : null;
  return {
    table,
    touches,
    address,
    preferences,
    where,
    maxAffected: preferences.maxAffected ?? MAX_AFFECTED,
    returned,
  };
}

/**
 * Reports whether a condition's form alone makes its result the same for every record. Examples are "every
 * related record matches anything" and "at least 0 related records".
 */
function isConstant(condition: Condition): boolean {
  return judge(condition) !== 'open';
}

function judge(condition: Condition): 'always' | 'never' | 'open' {
  switch (condition.kind) {
    case 'not':
      return opposite(judge(condition.condition));
    case 'group':
      return judgeGroup(condition.operator, condition.conditions.map(judge));
    case 'related': {
      if (condition.where.length > 0 && !condition.where.every((condition) => judge(condition) === 'always'))
        return 'open';
      return condition.quantifier === 'every' ? 'always' : 'open';
    }
    case 'related_count': {
      if (!/^0+$/.test(condition.value)) return 'open';
      return condition.operator === '>=' ? 'always' : condition.operator === '<' ? 'never' : 'open';
    }
    default:
      return 'open';
  }
}

function opposite(judged: ReturnType<typeof judge>): ReturnType<typeof judge> {
  return judged === 'always' ? 'never' : judged === 'never' ? 'always' : 'open';
}

function judgeGroup(
  operator: 'AND' | 'OR',
  judged: readonly ReturnType<typeof judge>[],
): ReturnType<typeof judge> {
  const [deciding, other] =
    operator === 'AND' ? (['never', 'always'] as const) : (['always', 'never'] as const);
  if (judged.includes(deciding)) return deciding;
  return judged.every((item) => item === other) ? other : 'open';
}
