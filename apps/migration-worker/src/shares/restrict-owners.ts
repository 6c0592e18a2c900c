const FIRST_MS = 120_000;
const LONGEST_MS = 15 * 60_000;
/** After so long without a new one, the next restriction is short again. */
const FORGIVEN_MS = 30 * 60_000;

export interface RestrictedOwners {
  /** Restricts an owner, longer each time it comes back; returns for how long from now on. */
  restrict(ownerId: string): number;
  has(ownerId: string): boolean;
}

/** Owners that passed the bound of statements at work: their connection users share few sessions for a while. */
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
