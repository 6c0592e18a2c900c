/** A revision of a draft, and the revision it restores, if any. */
export interface RevisionLink {
  readonly revision: number;
  readonly restores: number | null;
}

export interface UndoPath {
  readonly undo: number | null;
  readonly redo: number | null;
}

/**
 * Returns the revisions that an undo and a redo would restore. They depend only on the list of revisions, so
 * both work after a reload and for each member. After a new change, nothing can be redone.
 */
export function findUndoPath(links: readonly RevisionLink[]): UndoPath {
  const done = [0];
  let undone: number[] = [];
  for (const { revision, restores } of links) {
    if (restores !== null && restores === done.at(-2)) undone.push(done.pop() ?? 0);
    else if (restores !== null && restores === undone.at(-1)) done.push(undone.pop() ?? 0);
    else {
      done.push(restores ?? revision);
      undone = [];
    }
  }
  return { undo: done.at(-2) ?? null, redo: undone.at(-1) ?? null };
}
