/** Who was last seen at work on each database. */
export interface Actors {
  /** Seen in one look, by one node. */
  note(databaseId: string, users: readonly string[]): void;
  /** '' when nobody was, or more than one at about the same time. */
  find(databaseId: string): string;
}

/** Two nodes of a cluster, looked at together, tell of what happened at the same time within this. */
const SAME_TIME_MS = 200;

export function createActors(nowMs: () => number = () => performance.now()): Actors {
  const seen = new Map<string, { readonly user: string; readonly atMs: number }>();
  return {
    note(databaseId, users) {
      const [only = ''] = users;
      const before = seen.get(databaseId);
      const isSole = users.length === 1 && (before === undefined || before.user === only || nowMs() - before.atMs > SAME_TIME_MS);
      seen.set(databaseId, { user: isSole ? only : '', atMs: nowMs() });
    },
    find: (databaseId) => seen.get(databaseId)?.user ?? '',
  };
}
