import type { SharedUser } from '@rowhouse/platform-store';

/** Limits change in steps: one more user of an owner must not change the accounts of all others. */
const STEPS = [1, 2, 3, 5, 7, 10, 15, 20];

/**
 * Returns the sessions that each connection user may have, so that those of one owner together stay within the owner's
 * share, whatever the users do: the engines refuse a login beyond it. 0: the user is locked. An owner with more users than
 * sessions keeps one for each; of these, users whose sessions were just ended are locked for a while.
 */
export function allotSessions(users: readonly SharedUser[], maxOf: (ownerId: string) => number, userMax: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { ownerId } of users) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return new Map(users.map((user): [string, number] => {
    const count = counts.get(user.ownerId) ?? 1;
    const each = Math.floor(maxOf(user.ownerId) / count);
    if (each === 0 && user.isLimited) return [user.id, 0];
    const limit = Math.min(userMax, user.isLimited ? Math.ceil(each / 2) : each);
    return [user.id, STEPS.findLast((step) => step <= limit) ?? 1];
  }));
}
