import { defect } from '@rowhouse/errors';
import type { FaultList } from '../../request/fault-list.js';
import type { PlanOptions } from '../plan-parts.js';
import type { Containment } from './plan-containment.js';
import type { Condition } from './condition.js';
import { paddedLength } from '../../values/cell.js';

export const COMPARISONS_MAX = 200;
export const SUBQUERIES_MAX = 10;
/** The maximum number of bound values in a statement. The servers accept at most 65,535. */
export const VALUES_MAX = 60_000;

/** The cost limits that all conditions of a request share. */
export interface ConditionBudget {
  addComparison(): void;
  addSubquery(): void;
  /** Adds a number of bound values to the cost of the request. */
  addValues(count: number): void;
  /** Returns false if the database does not allow regular expressions. */
  allowRegex(): boolean;
  /** Reports whether the request has an allowed regular expression. */
  hasRegex(): boolean;
  /** Returns the time that relative dates start from. It is the same for all conditions of a request. */
  now(): number;
  /**
   * Reports whether the request exceeds a limit. Such a request is rejected, so the caller need not read the
   * remaining conditions.
   */
  isSpent(): boolean;
}

export function createConditionBudget(
  faults: FaultList,
  { regexEnabled, now }: Pick<PlanOptions, 'regexEnabled' | 'now'>,
): ConditionBudget {
  let comparisons = 0;
  let subqueries = 0;
  let values = 0;
  let hasRegex = false;
  let instant: number | null = null;
  return {
    addComparison() {
      comparisons += 1;
      if (comparisons === COMPARISONS_MAX + 1)
        faults.add(['query'], `A request can have at most ${COMPARISONS_MAX} comparisons.`, 'too_many');
    },
    addSubquery() {
      subqueries += 1;
      if (subqueries === SUBQUERIES_MAX + 1)
        faults.add(['query'], `Conditions can follow at most ${SUBQUERIES_MAX} relationships.`, 'too_many');
    },
    addValues(count) {
      if (values <= VALUES_MAX && values + count > VALUES_MAX)
        faults.add(
          ['query'],
          `Conditions can have at most ${VALUES_MAX} values. A list counts as the next power of two.`,
          'too_many',
        );
      values += count;
    },
    allowRegex() {
      hasRegex ||= regexEnabled;
      return regexEnabled;
    },
    hasRegex: () => hasRegex,
    now() {
      if (now === undefined) return defect('a relative date without a clock');
      return (instant ??= now());
    },
    isSpent: () => comparisons > COMPARISONS_MAX || subqueries > SUBQUERIES_MAX || values > VALUES_MAX,
  };
}

/**
 * Returns the number of values that the condition binds. Conditions inside subqueries are counted separately.
 */
export function countValues(condition: Condition): number {
  let values = 0;
  const left = [condition];
  for (let condition = left.pop(); condition !== undefined; condition = left.pop()) {
    if (condition.kind === 'group') left.push(...condition.conditions);
    else if (condition.kind === 'not') left.push(condition.condition);
    else
      values +=
        condition.kind === 'in'
          ? paddedLength(condition.values.length)
          : condition.kind === 'json_compare'
            ? condition.as === 'number'
              ? 12
              : 4
            : condition.kind === 'json_contains'
              ? 2 + countContained(condition.exact)
              : condition.kind === 'json_like' || condition.kind === 'json_regex'
                ? 3
                : condition.kind === 'between'
                  ? 2
                  : 1;
  }
  return values;
}

function countContained(exact: Containment | 'never' | null): number {
  if (exact === null || exact === 'never') return 0;
  if (exact.kind === 'items') return exact.patterns.length * 2;
  if (exact.kind === 'number') return 7;
  return exact.members.reduce(
    (sum, member) => sum + countContained(member.containment),
    1 + exact.inArray.length * 2,
  );
}
