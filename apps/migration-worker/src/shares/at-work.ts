import type { DirectSession, Verdict } from './judge-sessions.js';

/** An owner is judged by what it had at work on the average of so long. */
const WINDOW_MS = 4_000;
/** Fewer seconds than that say nothing yet. */
const SEEN_MS = 2_500;

export interface StatementsWatch {
  /**
   * Returns sessions to be ended: of owners with more statements at work than `max`, the newest sessions beyond it.
   * `isRestricted`: owners that were found so lately have no time to pass it again.
   */
  judge(sessions: readonly DirectSession[], max: number, isRestricted: (ownerId: string) => boolean): Verdict[];
}

/** Watches how many statements each owner has at work at once: neither engine bounds what they take of the processors. */
export function createStatementsWatch(now: () => number = () => performance.now()): StatementsWatch {
  const seen = new Map<string, { atMs: number; count: number }[]>();

  function note(ownerId: string, count: number): number {
    const samples = [...(seen.get(ownerId) ?? []), { atMs: now(), count }].filter(({ atMs }) => now() - atMs <= WINDOW_MS);
    seen.set(ownerId, samples);
    const hasSeenEnough = now() - (samples[0]?.atMs ?? now()) >= SEEN_MS;
    return hasSeenEnough ? samples.reduce((sum, one) => sum + one.count, 0) / samples.length : 0;
  }

  return {
    judge(sessions, max, isRestricted) {
      const atWork = new Map<string, DirectSession[]>();
      for (const one of sessions) if (one.isAtWork) atWork.set(one.ownerId, [...(atWork.get(one.ownerId) ?? []), one]);
      for (const ownerId of seen.keys()) if (!atWork.has(ownerId)) seen.delete(ownerId);
      return [...atWork].flatMap(([ownerId, group]): Verdict[] => {
        const average = note(ownerId, group.length);
        const figure = isRestricted(ownerId) ? group.length : Math.round(average);
        if (figure <= max) return [];
        seen.delete(ownerId);
        const newest = [...group].sort((one, other) => other.id - one.id).slice(0, Math.max(0, group.length - max));
        return newest.map((session) => ({ session, bound: 'statements', reach: 'organization', figure, max }));
      });
    },
  };
}
