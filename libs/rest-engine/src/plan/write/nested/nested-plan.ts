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
  /** Whether the body was an array and not a single object. */
  readonly isBulk: boolean;
  /** The steps in order. Each comes after those that it takes values from. */
  readonly steps: readonly NestedStep[];
  /** The steps of the returned records, in the order of the body. */
  readonly roots: readonly number[];
  /** The columns of the returned records. Null returns keys only, or a count for a table without a key. */
  readonly returned: readonly CompiledColumn[] | null;
  /** The relationships that the body names and the key may read. */
  readonly include: readonly IncludeNode[];
}

/** Changes a record together with related records in one transaction. */
export interface NestedUpdatePlan extends PlanBase {
  readonly kind: 'update_nested';
  readonly isBulk: false;
  readonly conditions: RecordConditions | null;
  readonly steps: readonly NestedStep[];
  /** The step that finds and locks the record. */
  readonly roots: readonly [number];
  /** The columns of the returned record. Null for a 204 response without a body. */
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

/** Finds an existing record whose foreign keys refer to columns other than its key. */
export interface NestedLookUp extends StepBase, RecordLookup {
  readonly kind: 'look_up';
}

/** Changes the values of an existing record. */
export interface NestedChange extends StepBase, RecordLookup {
  readonly kind: 'change';
  /** Never empty together with `fills`. */
  readonly changes: readonly Assignment[];
  readonly fills: readonly NestedFill[];
}

/** Deletes an existing record. */
export interface NestedRemove extends StepBase, RecordLookup {
  readonly kind: 'remove';
}

/** How an existing record is found: by known values and by those of other steps' rows. */
interface RecordLookup {
  readonly key: readonly KeyPart[];
  readonly match?: readonly NestedFill[];
  /** Steps that must run earlier. */
  readonly after?: readonly number[];
}

interface StepBase {
  readonly table: CompiledTable;
  /** The location of the step's member in the body. */
  readonly loc: readonly (string | number)[];
}

/** A column that takes the value of `source` from the row of another step. */
export interface NestedFill {
  readonly column: CompiledColumn;
  readonly from: number;
  readonly source: CompiledColumn;
}
