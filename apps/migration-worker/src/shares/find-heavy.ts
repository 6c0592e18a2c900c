import type { DirectSession } from './judge-sessions.js';

/** An owner with this many active sessions in one check counts as heavy for a while. */
const AT_WORK_MIN = 3;
const HEAVY_MS = 10_000;
/** A statement that runs this long is heavy, whatever else its owner runs. */
const STATEMENT_MS = 1_000;

export interface HeavyOwners {
  /** Returns the sessions whose priority is to be lowered. */
  find(sessions: readonly (DirectSession & { readonly stateMs: number })[]): Set<number>;
  /** Returns whether an owner was heavy recently. */
  any(): boolean;
}

export function createHeavyOwners(now: () => number = () => performance.now()): HeavyOwners {
  const until = new Map<string, number>();
  return {
    find(sessions) {
      const atWork = sessions.filter((item) => item.isAtWork);
      const counts = new Map<string, number>();
      for (const { ownerId } of atWork) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
      for (const [ownerId, count] of counts) if (count >= AT_WORK_MIN) until.set(ownerId, now() + HEAVY_MS);
      for (const [ownerId, endMs] of until) if (endMs <= now()) until.delete(ownerId);
      const heavy = sessions.filter(
        (item) => until.has(item.ownerId) || (item.isAtWork && item.stateMs >= STATEMENT_MS),
      );
      return new Set(heavy.map(({ id }) => id));
    },
    any: () => until.size > 0,
  };
}
