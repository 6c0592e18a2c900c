/**
 * The effect of a column change on existing values.
 * The strictest class wins: a `retype` may combine several kinds of change.
 */
export type ColumnChange = {
  readonly class: 'widen' | 'tighten' | 'retype';
  /**
   * A description of what values may lose.
   * Empty when the server rejects such values instead of truncating them.
   */
  readonly loss: string;
  /**
   * Conditions that select the rows that do not fit, each with a description.
   * `{c}` is the quoted column name.
   */
  readonly misfits: readonly IncompatibleValue[];
};

export interface IncompatibleValue {
  readonly condition: string;
  readonly problem: string;
}
