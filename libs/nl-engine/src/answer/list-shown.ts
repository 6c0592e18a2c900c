import type { Assignment, Bound } from '../resolve/assignment.js';
import type { Aggregate, ColumnRef } from '../types.js';

/** A column that a statement returns. */
export interface Shown {
  readonly ref: ColumnRef;
  /** The aggregate of the values; null for the values themselves. */
  readonly fn: Aggregate | null;
  readonly bound: Bound;
}

/** Returns the columns that a statement returns and the question names, in the order of the statement. */
export function listShown({ draft, columns }: Assignment): readonly Shown[] {
  return draft.targets.flatMap((target) => {
    const bound = target.kind === 'column' ? columns.get(target.column) : undefined;
    return target.kind === 'column' && bound !== undefined
      ? [{ ref: target.column, fn: target.fn, bound }]
      : [];
  });
}
