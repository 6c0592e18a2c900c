import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { IncludeNode, KeyPart, PlanBase, RowValues } from '../plan.js';

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

export type NestedStep = NestedInsert | NestedAttach | NestedLookUp;

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
export interface NestedLookUp extends StepBase {
  readonly kind: 'look_up';
  readonly key: readonly KeyPart[];
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
