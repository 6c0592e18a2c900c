import { AppError } from '@rowhouse/errors';
import type { CompiledRelationship, CompiledTable } from '@rowhouse/schema-model';
import { isJsonArray, isJsonNumber, isJsonObject } from '../../request/json-value.js';
import type { JsonObject, JsonValue } from '../../request/json-value.js';
import { parseJson } from '../../request/parse-json.js';
import { SEARCH_VALUES_MAX } from '../../request/parse-parameters.js';
import { parseFilterKey } from '../../request/parse-query-key.js';
import { joinConditions } from './condition.js';
import { isExpression, planJsonCondition } from './plan-json-condition.js';
import {
  planNamedCondition,
  walkRelationships,
  wrapSteps,
  type ConditionContext,
} from './plan-named-condition.js';
import type { ComparisonSign, Condition } from './condition.js';

export const TREE_DEPTH_MAX = 32;
const COUNT_SIGNS: Readonly<Record<string, ComparisonSign>> = {
  count: '=',
  count__eq: '=',
  count__ne: '<>',
  count__gt: '>',
  count__gte: '>=',
  count__lt: '<',
  count__lte: '<=',
};
const QUANTIFIERS: ReadonlySet<string> = new Set(['some', 'none', 'every']);

/**
 * Plans `_filter`, a tree of conditions as JSON text. Returns null if the tree is empty (`{}`), and after
 * adding a fault.
 */
export function planFilterTree(table: CompiledTable, text: string, ctx: ConditionContext): Condition | null {
  const tree = readTree(text, ctx);
  return tree === null ? null : planObject(table, tree, 1, ctx);
}

function readTree(text: string, ctx: ConditionContext): JsonObject | null {
  try {
    const value = parseJson(text, { values: SEARCH_VALUES_MAX });
    if (isJsonObject(value)) return value;
    ctx.faults.add(ctx.loc, 'The filter must be an object, for example {"age__gte":18}.', 'dict_type');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isLong = error.faults?.[0]?.type === 'too_many_values';
    if (isLong)
      ctx.faults.add(
        ctx.loc,
        `A filter can have at most ${SEARCH_VALUES_MAX.toLocaleString('en')} JSON values.`,
        'too_many_values',
      );
    else ctx.faults.add(ctx.loc, `This is not valid JSON. ${error.detail}`, 'json_parsing');
  }
  return null;
}

/** Plans the members of an object as conditions joined by AND. */
function planObject(
  table: CompiledTable,
  tree: JsonObject,
  depth: number,
  ctx: ConditionContext,
): Condition | null {
  if (depth > TREE_DEPTH_MAX) {
    ctx.faults.add(ctx.loc, `Filters can be nested at most ${TREE_DEPTH_MAX} deep.`, 'too_deep');
    return null;
  }
  const conditions: Condition[] = [];
  for (const [key, value] of tree) {
    if (ctx.faults.isFull() || ctx.budget.isSpent()) break;
    const condition = planMember(table, key, value, depth, { ...ctx, loc: [...ctx.loc, key] });
    if (condition !== null) conditions.push(condition);
  }
  return joinConditions('AND', conditions);
}

function planMember(
  table: CompiledTable,
  key: string,
  value: JsonValue,
  depth: number,
  ctx: ConditionContext,
): Condition | null {
  if (key === 'and' || key === 'or') return planGroup(table, key === 'and' ? 'AND' : 'OR', value, depth, ctx);
  if (key === 'not') return planNot(table, value, depth, ctx);
  const read = parseFilterKey(key);
  if (read.kind !== 'filter') {
    ctx.faults.add(
      ctx.loc,
      read.kind === 'reserved' ? `${read.what} is reserved and cannot be used.` : read.message,
      'unknown_parameter',
      read.kind === 'reserved' ? null : read.hint,
    );
    return null;
  }
  if (
    isJsonObject(value) &&
    read.operator === 'eq' &&
    read.jsonPath === null &&
    !(isExpression(value) && leadsToColumn(table, read.path))
  )
    return planRelated(table, read.path, value, depth, ctx);
  const isTrue = (): boolean | null => (typeof value === 'boolean' ? value : null);
  return planNamedCondition(
    table,
    read,
    isTrue,
    (column, holder) => planJsonCondition(holder, column, read, value, () => ctx.budget.now()),
    ctx,
  );
}

function leadsToColumn(table: CompiledTable, path: readonly string[]): boolean {
  let source: CompiledTable | undefined = table;
  for (const name of path.slice(0, -1)) source = source?.findRelationship(name)?.target;
  const last = path.at(-1) ?? '';
  return source !== undefined && source.findRelationship(last) === null && source.findColumn(last) !== null;
}

function planGroup(
  table: CompiledTable,
  operator: 'AND' | 'OR',
  value: JsonValue,
  depth: number,
  ctx: ConditionContext,
): Condition | null {
  if (!isJsonArray(value) || value.length === 0) {
    ctx.faults.add(
      ctx.loc,
      `"${operator.toLowerCase()}" needs a list of at least one condition.`,
      'list_type',
    );
    return null;
  }
  const conditions: Condition[] = [];
  for (const [index, item] of value.entries()) {
    if (ctx.faults.isFull() || ctx.budget.isSpent()) break;
    const condition = planBranch(table, item, depth, { ...ctx, loc: [...ctx.loc, index] });
    if (condition !== null) conditions.push(condition);
  }
  return joinConditions(operator, conditions);
}

function planNot(
  table: CompiledTable,
  value: JsonValue,
  depth: number,
  ctx: ConditionContext,
): Condition | null {
  const condition = planBranch(table, value, depth, ctx);
  return condition === null ? null : { kind: 'not', condition };
}

/** Plans an object that must not be empty. In an "or", an empty object would match every record. */
function planBranch(
  table: CompiledTable,
  value: JsonValue,
  depth: number,
  ctx: ConditionContext,
): Condition | null {
  if (isJsonObject(value) && value.size > 0) return planObject(table, value, depth + 1, ctx);
  ctx.faults.add(ctx.loc, 'Expected an object with conditions.', 'dict_type');
  return null;
}

/**
 * Plans conditions on related records, such as `{"posts": {"published": true}}`. The members are conditions
 * on one related record, except for the keywords some, none, every and count.
 */
function planRelated(
  table: CompiledTable,
  path: readonly string[],
  value: JsonObject,
  depth: number,
  ctx: ConditionContext,
): Condition | null {
  const walked = walkRelationships(table, path, ctx);
  const relationship = walked?.steps.at(-1);
  if (walked === null || relationship === undefined) return null;
  const own = new Map(
    [...value].filter(([key]) => !QUANTIFIERS.has(key) && !Object.hasOwn(COUNT_SIGNS, key)),
  );
  const where = toList(own.size === 0 ? null : planObject(relationship.target, own, depth + 1, ctx));
  const conditions: Condition[] = [];
  let hasCount = false;
  for (const [key, member] of value) {
    if (ctx.faults.isFull() || ctx.budget.isSpent()) break;
    const memberCtx = { ...ctx, loc: [...ctx.loc, key] };
    if (QUANTIFIERS.has(key)) {
      const inner = planQuantified(relationship, key as 'some' | 'none' | 'every', member, depth, memberCtx);
      if (inner !== null) conditions.push(inner);
    } else if (Object.hasOwn(COUNT_SIGNS, key)) {
      hasCount = true;
      const count = planCount(relationship, COUNT_SIGNS[key] ?? '=', member, where, memberCtx);
      if (count !== null) conditions.push(count);
    }
  }
  if (!hasCount && (where.length > 0 || conditions.length === 0))
    conditions.push({ kind: 'related', relationship, quantifier: 'some', where });
  // The budget already counted one subquery when the path was resolved.
  conditions.slice(1).forEach(() => ctx.budget.addSubquery());
  const joined = joinConditions('AND', conditions);
  return joined === null ? null : wrapSteps(walked.steps.slice(0, -1), [joined]);
}

function planQuantified(
  relationship: CompiledRelationship,
  quantifier: 'some' | 'none' | 'every',
  value: JsonValue,
  depth: number,
  ctx: ConditionContext,
): Condition | null {
  if (!isJsonObject(value)) {
    ctx.faults.add(ctx.loc, 'Expected an object with conditions on the related records.', 'dict_type');
    return null;
  }
  return {
    kind: 'related',
    relationship,
    quantifier,
    where: toList(planObject(relationship.target, value, depth + 1, ctx)),
  };
}

function planCount(
  relationship: CompiledRelationship,
  operator: ComparisonSign,
  value: JsonValue,
  where: readonly Condition[],
  ctx: ConditionContext,
): Condition | null {
  ctx.budget.addComparison();
  if (isJsonNumber(value) && /^\d{1,9}$/.test(value.text))
    return { kind: 'related_count', relationship, where, operator, value: value.text };
  ctx.faults.add(ctx.loc, 'A count can only be compared with an integer of at least 0.', 'int_type');
  return null;
}

function toList(condition: Condition | null): readonly Condition[] {
  return condition === null ? [] : [condition];
}
