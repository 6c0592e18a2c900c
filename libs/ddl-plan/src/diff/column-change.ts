/**
 * The effect of a column's change on its existing values. If a change has several effects, `class` is that of
 * the strictest one.
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
