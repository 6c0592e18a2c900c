import type { Assignment, Bound } from '../resolve/assign.js';
import type { Aggregate, ColumnRef } from '../types.js';

/** A column that a statement shows. */
export interface Shown {
  readonly ref: ColumnRef;
  /** What is made of its values; null: they themselves. */
  readonly fn: Aggregate | null;
  readonly bound: Bound;
}

/** The columns that a statement shows, as they are named in the question, in its order. */
export function listShown({ draft, columns }: Assignment): readonly Shown[] {
  return draft.targets.flatMap((target) => {
    const bound = target.kind === 'column' ? columns.get(target.column) : undefined;
    return target.kind === 'column' && bound !== undefined ? [{ ref: target.column, fn: target.fn, bound }] : [];
  });
}
