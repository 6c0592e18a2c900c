import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type {
  Assignment,
  IncludeNode,
  KeyPart,
  PlanBase,
  RecordConditions,
  RowValues,
} from '../../plan-parts.js';

/** Creates records together with related records in one transaction. */
export interface NestedCreatePlan extends PlanBase {
  readonly kind: 'create_nested';
  /** Whether the body was an array instead of a single object. */
  readonly isBulk: boolean;
  /** The steps in execution order. A step comes after all steps whose rows it takes values from. */
  readonly steps: readonly NestedStep[];
  /** The indexes of steps that write the returned records, in the order of the body. */
  readonly roots: readonly number[];
  /**
   * The columns of the returned records. If null, the response contains only the keys, or a count if the
   * table has no key.
   */
  readonly returned: readonly CompiledColumn[] | null;
  /** The relationships that the body names, as far as the API key may read them. */
  readonly include: readonly IncludeNode[];
}

/** Changes a record together with related records in one transaction. */
export interface NestedUpdatePlan extends PlanBase {
  readonly kind: 'update_nested';
  readonly isBulk: false;
  readonly conditions: RecordConditions | null;
  readonly steps: readonly NestedStep[];
  /** The index of the step which finds and locks the record. */
  readonly roots: readonly [number];
  /** The columns of the returned record. If null, the response is a 204 without a body. */
  readonly returned: readonly CompiledColumn[] | null;
  readonly include: readonly IncludeNode[];
}

export type NestedStep = NestedInsert | NestedAttach | NestedLookUp | NestedChange | NestedRemove;

/** Inserts a record or a row of a link table. */
export interface NestedInsert extends StepBase {
  readonly kind: 'insert';
  readonly values: RowValues;
  readonly fills: readonly NestedFill[];
}

/** Assigns another parent to an existing record. */
export interface NestedAttach extends StepBase {
  readonly kind: 'attach';
  readonly key: readonly KeyPart[];
  readonly fills: readonly NestedFill[];
}

/** Finds an existing record to which another record refers by columns other than the primary key. */
export interface NestedLookUp extends StepBase, RecordLookup {
  readonly kind: 'look_up';
}

/** Changes the values of an existing record. */
export interface NestedChange extends StepBase, RecordLookup {
  readonly kind: 'change';
  /** The values to assign. At least one of `changes` and `fills` is not empty. */
  readonly changes: readonly Assignment[];
  readonly fills: readonly NestedFill[];
}

/** Deletes an existing record. */
export interface NestedRemove extends StepBase, RecordLookup {
  readonly kind: 'remove';
}

/** How a step finds an existing record: by known values, and by values from the rows of other steps. */
interface RecordLookup {
  readonly key: readonly KeyPart[];
  readonly match?: readonly NestedFill[];
  /** The indexes of other steps that must run before this one. */
  readonly after?: readonly number[];
}

interface StepBase {
  readonly table: CompiledTable;
  /** The location of a member in the body, which requires this step. Errors report it. */
  readonly loc: readonly (string | number)[];
}

/** A column that gets the value of the column `source` in the row of another step. */
export interface NestedFill {
  readonly column: CompiledColumn;
  readonly from: number;
  readonly source: CompiledColumn;
}
