/**
 * The effect of a column's change on its existing values. The class is that of the strictest effect: `retype`
 * may combine several.
 */
export type ColumnChange = {
  readonly class: 'widen' | 'tighten' | 'retype';
  /**
   * A description of what values may lose. Empty if the server rejects values that do not fit instead of
   * truncating them.
   */
  readonly loss: string;
  /**
   * SQL conditions that select the rows whose values do not fit, each with a description. `{c}` in them is
   * replaced with the quoted column name.
   */
  readonly misfits: readonly IncompatibleValue[];
};

export interface IncompatibleValue {
  readonly condition: string;
  readonly problem: string;
}
