import type { SharedUser } from '@rowhouse/platform-store';

/** Limits change in steps, so that an owner's additional user does not change all other accounts. */
const STEPS = [1, 2, 3, 5, 7, 10, 15, 20];

/**
 * Returns the number of sessions for each connection user. All users of an owner then stay within the owner's
 * share, since the engines reject logins beyond it. 0 locks the user. If an owner has more users than
 * sessions, each gets one, except that users whose sessions were just ended are locked for a while.
 */
export function allotSessions(
  users: readonly SharedUser[],
  maxOf: (ownerId: string) => number,
  userMax: number,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { ownerId } of users) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return new Map(
    users.map((user): [string, number] => {
      const count = counts.get(user.ownerId) ?? 1;
      const each = Math.floor(maxOf(user.ownerId) / count);
      if (each === 0 && user.isLimited) return [user.id, 0];
      const limit = Math.min(userMax, user.isLimited ? Math.ceil(each / 2) : each);
      return [user.id, STEPS.findLast((step) => step <= limit) ?? 1];
    }),
  );
}
