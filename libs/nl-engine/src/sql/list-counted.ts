import type { Assignment } from '../resolve/assignment.js';

/** Returns the mentions that are counted or aggregated, or the first one if none exist. */
export function listCounted({ draft, columns }: Assignment): ReadonlySet<number> {
  const counted = draft.targets.flatMap((target) =>
    target.kind === 'count'
      ? [target.mention]
      : target.kind === 'column' && target.fn !== null
        ? [columns.get(target.column)?.mention ?? 0]
        : [],
  );
  return new Set(counted.length === 0 ? [0] : counted);
}
