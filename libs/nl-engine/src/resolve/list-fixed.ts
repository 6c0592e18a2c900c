import type { Condition } from '../types.js';
import type { Assignment, Bound } from './assignment.js';
import { findLabel } from './find-label.js';
import { pinsValue } from './pins-value.js';

/**
 * Returns the columns in which all rows of the statement
 * have the same value, because the question specifies it.
 */
export function listFixed({ draft, columns, values }: Assignment): readonly Bound[] {
  const find = (condition: Condition): Bound | undefined => {
    if (!pinsValue(condition)) return undefined;
    return condition.kind === 'compare' ? columns.get(condition.column) : values.get(condition);
  };
  return draft.mentions.flatMap((mention) =>
    mention.negated ? [] : mention.conditions.flatMap((condition) => find(condition) ?? []),
  );
}

/** Returns whether the question already specifies the label of the rows, as in `users named ada`. */
export function isLabelFixed({ tables }: Assignment, mention: number, fixed: readonly Bound[]): boolean {
  const table = tables[mention];
  return (
    table !== undefined &&
    fixed.some(
      (bound) =>
        bound.mention === mention &&
        bound.path.length === 0 &&
        bound.via === null &&
        findLabel(table).includes(bound.column),
    )
  );
}
