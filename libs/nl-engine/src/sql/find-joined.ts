import type { Assignment } from '../resolve/assignment.js';

/**
 * Returns the mentions that are shown, counted, grouped
 * or sorted, and all mentions between them and the root.
 */
export function findJoined({ draft, columns }: Assignment): ReadonlySet<number> {
  const joined = new Set<number>([0]);
  const need = (mention: number): void => {
    for (let index = mention; index > 0; index = draft.mentions[index]?.parent ?? 0) joined.add(index);
  };
  for (const target of draft.targets)
    need(
      target.kind === 'column'
        ? (columns.get(target.column)?.mention ?? 0)
        : target.kind === 'size'
          ? (draft.mentions[target.mention]?.parent ?? 0)
          : target.mention,
    );
  for (const group of draft.groups)
    need(group.kind === 'column' ? (columns.get(group.column)?.mention ?? 0) : group.mention);
  for (const { key } of draft.orders) if (key.kind === 'column') need(columns.get(key.column)?.mention ?? 0);
  return joined;
}
