import { defect } from '@rowhouse/errors';
import type { FaultList } from '../../request/fault-list.js';
import type { PlanOptions } from '../plan-parts.js';
import type { Containment } from './plan-containment.js';
import type { Condition } from './condition.js';
import { paddedLength } from '../../values/cell.js';

export const COMPARISONS_MAX = 200;
export const SUBQUERIES_MAX = 10;
/** The maximum number of bound values in a statement, below the servers' limit of 65,535. */
export const VALUES_MAX = 60_000;

/** The limits on the cost of conditions. All conditions of a request share them. */
export interface ConditionBudget {
  addComparison(): void;
  addSubquery(): void;
  /** Adds to the number of values that the request binds. */
  addValues(count: number): void;
  /**
   * Records that the request contains a regular expression. Returns false if the database does not allow
   * them.
   */
  allowRegex(): boolean;
  /** Reports whether a filter of the request uses a regular expression that was accepted. */
  hasRegex(): boolean;
  /** Returns the current time for relative dates. It is the same for all conditions of a request. */
  now(): number;
  /**
   * Reports whether the request exceeds a limit. It is then rejected, so its remaining conditions need not be
   * read.
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
 * Returns the number of values that a condition binds, without conditions in subqueries, which are counted
 * separately.
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
