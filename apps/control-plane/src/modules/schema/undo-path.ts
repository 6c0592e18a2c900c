/** A revision of a draft and, where it only brings an earlier schema back, which. */
export interface RevisionLink {
  readonly revision: number;
  readonly restores: number | null;
}

export interface UndoPath {
  readonly undo: number | null;
  readonly redo: number | null;
}

/**
 * What to restore to go one step back, and one forth again, as an editor does: read from the revisions alone, so that it
 * is there after a reload and for everybody. A new change ends what could be made again.
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
