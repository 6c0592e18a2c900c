const FIRST_MS = 120_000;
const LONGEST_MS = 15 * 60_000;
/** The time without a new restriction after which the next one is short again. */
const FORGIVEN_MS = 30 * 60_000;

export interface RestrictedOwners {
  /** Restricts an owner, longer after each repetition. Returns the duration from now on in milliseconds. */
  restrict(ownerId: string): number;
  has(ownerId: string): boolean;
}

/**
 * Remembers owners that exceeded the limit of running statements.
 * Their connection users share few sessions for a while.
 */
export function createRestrictedOwners(now: () => number = () => performance.now()): RestrictedOwners {
  const owners = new Map<string, { untilMs: number; times: number }>();
  return {
    restrict(ownerId) {
      const before = owners.get(ownerId);
      if (before !== undefined && before.untilMs > now()) return before.untilMs - now();
      const times = before === undefined || now() - before.untilMs > FORGIVEN_MS ? 1 : before.times + 1;
      const forMs = Math.min(LONGEST_MS, FIRST_MS * 3 ** (times - 1));
      owners.set(ownerId, { untilMs: now() + forMs, times });
      return forMs;
    },
    has: (ownerId) => (owners.get(ownerId)?.untilMs ?? 0) > now(),
  };
}
