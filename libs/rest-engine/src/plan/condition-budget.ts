import type { FaultList } from '../request/fault-list.js';

export const COMPARISONS_MAX = 200;
export const SUBQUERIES_MAX = 10;

/** What all conditions of a request may cost together, wherever they stand. */
export interface ConditionBudget {
  addComparison(): void;
  addSubquery(): void;
  /** False where the database does not allow regular expressions. */
  allowRegex(): boolean;
  /** Whether one was allowed. */
  hasRegex(): boolean;
}

export function createConditionBudget(faults: FaultList, { regexEnabled }: { readonly regexEnabled: boolean }): ConditionBudget {
  let comparisons = 0;
  let subqueries = 0;
  let hasRegex = false;
  return {
    addComparison() {
      comparisons += 1;
      if (comparisons === COMPARISONS_MAX + 1) faults.add(['query'], `At most ${COMPARISONS_MAX} comparisons are read.`, 'too_many');
    },
    addSubquery() {
      subqueries += 1;
      if (subqueries === SUBQUERIES_MAX + 1) faults.add(['query'], `Conditions go over at most ${SUBQUERIES_MAX} relationships.`, 'too_many');
    },
    allowRegex() {
      hasRegex ||= regexEnabled;
      return regexEnabled;
    },
    hasRegex: () => hasRegex,
  };
}
