import type { Condition } from '../types.js';
import type { Assignment, Bound } from './assign.js';
import { findLabel } from './find-label.js';
import { pinsValue } from './pins-value.js';

/** Columns that every row of the statement has the same value in, since the question says which. */
export function listFixed({ draft, columns, values }: Assignment): readonly Bound[] {
  const find = (condition: Condition): Bound | undefined => {
    if (!pinsValue(condition)) return undefined;
    return condition.kind === 'compare' ? columns.get(condition.column) : values.get(condition);
  };
  return draft.mentions.flatMap((mention) => (mention.negated ? [] : mention.conditions.flatMap((condition) => find(condition) ?? [])));
}

/** `users named ada`: is what the rows of a mention are called said already? */
export function isLabelFixed({ tables }: Assignment, mention: number, fixed: readonly Bound[]): boolean {
  const table = tables[mention];
  return table !== undefined && fixed.some((bound) => bound.mention === mention && bound.path.length === 0 && bound.via === null && findLabel(table).includes(bound.column));
}
