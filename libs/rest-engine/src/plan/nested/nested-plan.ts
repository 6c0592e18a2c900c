import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { Assignment, IncludeNode, KeyPart, PlanBase, RecordConditions, RowValues } from '../plan.js';

/** Records that are created together with others that belong to them, in one transaction. */
export interface NestedCreatePlan extends PlanBase {
  readonly kind: 'create_nested';
  /** False: the body was one object, not an array. */
  readonly isBulk: boolean;
  /** Every step stands behind those that it takes values from. */
  readonly steps: readonly NestedStep[];
  /** The steps of the records that the answer is about, in the order of the body. */
  readonly roots: readonly number[];
  /** Columns of the answer's records; null: keys only, or counts where the table has no key. */
  readonly answer: readonly CompiledColumn[] | null;
  /** Of the relationships that the body named, those that the key may read. */
  readonly include: readonly IncludeNode[];
}

/** A record that is changed together with others that belong to it, in one transaction. */
export interface NestedUpdatePlan extends PlanBase {
  readonly kind: 'update_nested';
  readonly isBulk: false;
  readonly conditions: RecordConditions | null;
  readonly steps: readonly NestedStep[];
  /** The step that finds and locks the record. */
  readonly roots: readonly [number];
  /** Columns of the answer; null: 204 without a body. */
  readonly answer: readonly CompiledColumn[] | null;
  readonly include: readonly IncludeNode[];
}

export type NestedStep = NestedInsert | NestedAttach | NestedLookUp | NestedChange | NestedRemove;

/** A record, or a row of a link table. */
export interface NestedInsert extends StepBase {
  readonly kind: 'insert';
  readonly values: RowValues;
  readonly fills: readonly NestedFill[];
}

/** A record that is there already gets another parent. */
export interface NestedAttach extends StepBase {
  readonly kind: 'attach';
  readonly key: readonly KeyPart[];
  readonly fills: readonly NestedFill[];
}

/** A record that is there already, whose foreign keys point at other columns than its key. */
export interface NestedLookUp extends StepBase, Found {
  readonly kind: 'look_up';
}

/** A record that is there already gets other values. */
export interface NestedChange extends StepBase, Found {
  readonly kind: 'change';
  /** With `fills` never empty. */
  readonly changes: readonly Assignment[];
  readonly fills: readonly NestedFill[];
}

/** A record that is there goes. */
export interface NestedRemove extends StepBase, Found {
  readonly kind: 'remove';
}

/** How a record that is there is found: by values that are known, and by those of other steps' rows. */
interface Found {
  readonly key: readonly KeyPart[];
  readonly match?: readonly NestedFill[];
  /** Steps that have to be done before. */
  readonly after?: readonly number[];
}

interface StepBase {
  readonly table: CompiledTable;
  /** Of the step's member in the body. */
  readonly loc: readonly (string | number)[];
}

/** A column that takes what another step's row has in `source`. */
export interface NestedFill {
  readonly column: CompiledColumn;
  readonly from: number;
  readonly source: CompiledColumn;
}
