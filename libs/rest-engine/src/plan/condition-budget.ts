import type { FaultList } from '../request/fault-list.js';
import type { PlanOptions } from './plan.js';

export const COMPARISONS_MAX = 200;
export const SUBQUERIES_MAX = 10;
/** A statement takes no more than 65,535. */
export const VALUES_MAX = 60_000;

/** What all conditions of a request may cost together, wherever they stand. */
export interface ConditionBudget {
  addComparison(): void;
  addSubquery(): void;
  /** Values that are bound. */
  addValues(count: number): void;
  /** False where the database does not allow regular expressions. */
  allowRegex(): boolean;
  /** Whether one was allowed. */
  hasRegex(): boolean;
  /** The moment that relative dates are counted from: one for all conditions of a request. */
  now(): number;
  /** Whether a bound is passed: the request is refused, and what follows is not worth its time. */
  isSpent(): boolean;
}

export function createConditionBudget(faults: FaultList, { regexEnabled, now }: Pick<PlanOptions, 'regexEnabled' | 'now'>): ConditionBudget {
  let comparisons = 0;
  let subqueries = 0;
  let values = 0;
  let hasRegex = false;
  let instant: number | null = null;
  return {
    addComparison() {
      comparisons += 1;
      if (comparisons === COMPARISONS_MAX + 1) faults.add(['query'], `At most ${COMPARISONS_MAX} comparisons are read.`, 'too_many');
    },
    addSubquery() {
      subqueries += 1;
      if (subqueries === SUBQUERIES_MAX + 1) faults.add(['query'], `Conditions go over at most ${SUBQUERIES_MAX} relationships.`, 'too_many');
    },
    addValues(count) {
      if (values <= VALUES_MAX && values + count > VALUES_MAX) faults.add(['query'], `Conditions hold at most ${VALUES_MAX} values; lists count as the next power of two.`, 'too_many');
      values += count;
    },
    allowRegex() {
      hasRegex ||= regexEnabled;
      return regexEnabled;
    },
    hasRegex: () => hasRegex,
    now() {
      if (now === undefined) throw new Error('relative dates need a clock');
      return (instant ??= now());
    },
    isSpent: () => comparisons > COMPARISONS_MAX || subqueries > SUBQUERIES_MAX || values > VALUES_MAX,
  };
}
