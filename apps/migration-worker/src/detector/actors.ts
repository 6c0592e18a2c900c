/** The users last seen running DDL in each database. */
export interface Actors {
  /** Records the users that one check of one node has found. */
  note(databaseId: string, users: readonly string[]): void;
  /** Returns the user last seen, or '' when no user was seen, or several at about the same time. */
  find(databaseId: string): string;
}

/**
 * The time within which two sightings count as simultaneous, since nodes of a
 * cluster are checked in parallel.
 */
const SAME_TIME_MS = 200;

export function createActors(nowMs: () => number = () => performance.now()): Actors {
  const seen = new Map<string, { readonly user: string; readonly atMs: number }>();
  return {
    note(databaseId, users) {
      const [only = ''] = users;
      const before = seen.get(databaseId);
      const isSole =
        users.length === 1 &&
        (before === undefined || before.user === only || nowMs() - before.atMs > SAME_TIME_MS);
      seen.set(databaseId, { user: isSole ? only : '', atMs: nowMs() });
    },
    find: (databaseId) => seen.get(databaseId)?.user ?? '',
  };
}
