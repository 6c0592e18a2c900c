import {
  FILTER_OPERATORS,
  type CompiledColumn,
  type CompiledRelationship,
  type CompiledTable,
} from '@rowhouse/schema-model';
import type { FilterKey } from '../../request/api-request.js';
import type { FaultList } from '../../request/fault-list.js';
import { FOREIGN_WORDS } from '../../request/parameter-words.js';
import type { ConditionBudget } from './condition-budget.js';
import { countValues } from './condition-budget.js';
import { hintCountFilter } from './find-counts.js';
import { hintColumn, hintFor, unknownRelationship, visibleColumnNames } from '../find-names.js';
import type { Condition, PlannedCondition } from './condition.js';

export const PATH_DEPTH_MAX = 5;

/** The location of the conditions in the request, and the budget that they share. */
export interface ConditionContext {
  readonly faults: FaultList;
  readonly budget: ConditionBudget;
  readonly loc: readonly (string | number)[];
}

/** Creates the condition for the column to which a name refers. */
export type MakeCondition = (column: CompiledColumn, table: CompiledTable) => PlannedCondition;

/**
 * Returns the condition that a key describes. For each relationship in the key, the condition is inside a
 * subquery. Returns null after adding a fault. `isTrue` returns the value of `exists`.
 */
export function planNamedCondition(
  table: CompiledTable,
  key: FilterKey,
  isTrue: () => boolean | null,
  make: MakeCondition,
  ctx: ConditionContext,
): Condition | null {
  ctx.budget.addComparison();
  if (key.operator === 'regex' && !ctx.budget.allowRegex()) {
    ctx.faults.add(
      ctx.loc,
      'Regular expressions are disabled for this database.',
      'not_enabled',
      'Use like, contains or startswith, or enable regex_enabled in the settings of the database.',
    );
    return null;
  }
  const names = key.operator === 'exists' && key.jsonPath === null ? key.path : key.path.slice(0, -1);
  const walked = names.length === 0 ? { steps: NO_STEPS, table } : walkRelationships(table, names, ctx);
  if (walked === null) return null;
  if (key.operator === 'exists' && key.jsonPath === null) return planExists(walked.steps, isTrue, ctx);
  const name = key.path.at(-1) ?? '';
  const column = walked.table.findColumn(name);
  if (column === null) return addUnknownColumn(walked.table, name, walked.steps.at(-1)?.name ?? null, ctx);
  const planned = make(column, walked.table);
  if (planned.kind === 'condition') {
    ctx.budget.addValues(countValues(planned.condition));
    return walked.steps.length === 0 ? planned.condition : wrapSteps(walked.steps, [planned.condition]);
  }
  ctx.faults.add(ctx.loc, planned.msg, planned.type, planned.hint ?? null);
  return null;
}

const NO_STEPS: readonly CompiledRelationship[] = Object.freeze([]);

/**
 * Returns the relationships with these names, each from the target of the previous one. Returns null after
 * adding a fault.
 */
export function walkRelationships(
  table: CompiledTable,
  names: readonly string[],
  ctx: ConditionContext,
): { steps: readonly CompiledRelationship[]; table: CompiledTable } | null {
  if (names.length > PATH_DEPTH_MAX) {
    ctx.faults.add(ctx.loc, `A path can follow at most ${PATH_DEPTH_MAX} relationships.`, 'too_deep');
    return null;
  }
  const steps: CompiledRelationship[] = [];
  let source = table;
  for (const name of names) {
    const step = source.findRelationship(name);
    if (step === null) {
      const { msg, type, hint } = unknownRelationship(ctx.faults, source, name);
      ctx.faults.add(
        ctx.loc,
        msg,
        type,
        hint ??
          (source.findColumn(name) === null
            ? null
            : `${name} is a column. To read inside JSON, write ${name}->member.`),
      );
      return null;
    }
    ctx.budget.addSubquery();
    steps.push(step);
    source = step.target;
  }
  return { steps, table: source };
}

/** Returns the condition that at least one record at the end of the relationships `steps` matches `where`. */
export function wrapSteps(
  steps: readonly CompiledRelationship[],
  where: readonly Condition[],
): Condition | null {
  let inner = where;
  for (const relationship of [...steps].reverse())
    inner = [{ kind: 'related', relationship, quantifier: 'some', where: inner }];
  return inner[0] ?? null;
}

function planExists(
  steps: readonly CompiledRelationship[],
  isTrue: () => boolean | null,
  ctx: ConditionContext,
): Condition | null {
  const requested = isTrue();
  const relationship = steps.at(-1);
  if (requested === null || relationship === undefined) {
    ctx.faults.add(ctx.loc, 'The value must be true or false.', 'bool_parsing');
    return null;
  }
  return wrapSteps(steps.slice(0, -1), [
    { kind: 'related', relationship, quantifier: requested ? 'some' : 'none', where: [] },
  ]);
}

/**
 * Adds a fault for an unknown column, with a hint. `relationship` is the relationship that leads to the
 * table. It is null for the request's own table.
 */
function addUnknownColumn(
  table: CompiledTable,
  name: string,
  relationship: string | null,
  { faults, loc }: ConditionContext,
): null {
  const cutIndex = name.lastIndexOf('__');
  const base = cutIndex > 0 ? name.slice(0, cutIndex) : '';
  if (base !== '' && table.findColumn(base) !== null) {
    const operators =
      hintFor(faults, name.slice(cutIndex + 2), () => FILTER_OPERATORS) ??
      `The operators are ${FILTER_OPERATORS.join(', ')}.`;
    faults.add(loc, `"${name.slice(cutIndex + 2)}" is not an operator.`, 'unknown_operator', operators);
    return null;
  }
  const own = relationship === null ? FOREIGN_WORDS.get(name.toLowerCase()) : undefined;
  const further = table.findRelationship(name);
  const hint =
    further !== null
      ? `${further.name} is a relationship. Use ${further.name}.{column}=… or ${further.name}__exists=true.`
      : relationship !== null && name === 'count'
        ? `To filter by the number of related records, use _filter={"${relationship}":{"count__gte":1}}.`
        : ((relationship === null ? hintCountFilter(table, name) : null) ??
          (own === undefined
            ? hintColumn(faults, name, table)
            : (hintFor(faults, name, () => visibleColumnNames(table)) ?? `Use ${own} instead.`)));
  faults.add(loc, `${table.name} has no column ${JSON.stringify(name)}.`, 'unknown_parameter', hint);
  return null;
}
