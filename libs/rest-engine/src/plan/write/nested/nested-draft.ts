import type { CompiledRelationship, CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../../../request/fault-list.js';
import { INCLUDE_COUNT_MAX } from '../../list/plan-include.js';
import type { PlanOptions } from '../../plan-parts.js';
import type { NestedStep } from './nested-plan.js';

/** The maximum number of records that one nested write may write or link. */
export const NESTED_RECORDS_MAX = 1_000;

/** A relationship that the body of a nested write names, with the relationships that its records name. */
export interface NestedBranch {
  readonly relationship: CompiledRelationship;
  readonly branches: Map<string, NestedBranch>;
}

/** A nested write under construction. */
export interface NestedDraft {
  readonly options: PlanOptions;
  readonly faults: FaultList;
  readonly steps: readonly NestedStep[];
  readonly branches: Map<string, NestedBranch>;
  /** Tables whose existing records the body refers to by key. */
  readonly linked: ReadonlySet<CompiledTable>;
  /** Adds a step to the plan and returns the step's index. */
  add(step: NestedStep): number;
  link(table: CompiledTable): void;
  /**
   * Returns the branch of a relationship in `branches`, and creates it if necessary. All records that name
   * the relationship share the branch.
   */
  grow(branches: Map<string, NestedBranch>, relationship: CompiledRelationship): NestedBranch;
  /** Reports whether the maximum number of records is exceeded. The remaining records are then not read. */
  isFull(): boolean;
}

export function createDraft(options: PlanOptions, faults: FaultList): NestedDraft {
  const steps: NestedStep[] = [];
  const linked = new Set<CompiledTable>();
  let relationships = 0;
  return {
    options,
    faults,
    steps,
    linked,
    branches: new Map(),
    add(step) {
      if (steps.length === NESTED_RECORDS_MAX)
        faults.add(
          ['body'],
          `One request can write at most ${NESTED_RECORDS_MAX} related records.`,
          'too_long',
          null,
          'limit.nested_records',
        );
      return steps.push(step) - 1;
    },
    link: (table) => void linked.add(table),
    grow(branches, relationship) {
      const known = branches.get(relationship.name);
      if (known !== undefined) return known;
      relationships += 1;
      if (relationships === INCLUDE_COUNT_MAX + 1)
        faults.add(
          ['body'],
          `One request can write records of at most ${INCLUDE_COUNT_MAX} relationships.`,
          'too_many',
        );
      const branch: NestedBranch = { relationship, branches: new Map() };
      branches.set(relationship.name, branch);
      return branch;
    },
    isFull: () => steps.length > NESTED_RECORDS_MAX,
  };
}
