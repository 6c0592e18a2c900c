import type { DirectSession, Verdict } from './judge-sessions.js';

/**
 * The time in milliseconds over which an owner's number of running statements is averaged. The owner is
 * judged by that average.
 */
const WINDOW_MS = 4_000;
/** The minimum time in milliseconds for which an owner must have been observed before it is judged. */
const SEEN_MS = 2_500;

export interface StatementsWatch {
  /**
   * Returns the sessions to end: for owners with more than `max` running statements, the newest ones beyond
   * `max`. `isRestricted` returns whether an owner exceeded the limit recently. Such owners are judged by
   * their current number instead of the average.
   */
  judge(
    sessions: readonly DirectSession[],
    max: number,
    isRestricted: (ownerId: string) => boolean,
  ): Verdict[];
}

/**
 * Counts how many statements each owner runs in parallel, because neither engine limits an account's
 * processor time.
 */
export function createStatementsWatch(now: () => number = () => performance.now()): StatementsWatch {
  const seen = new Map<string, { atMs: number; count: number }[]>();

  function note(ownerId: string, count: number): number {
    const samples = [...(seen.get(ownerId) ?? []), { atMs: now(), count }].filter(
      ({ atMs }) => now() - atMs <= WINDOW_MS,
    );
    seen.set(ownerId, samples);
    const hasSeenEnough = now() - (samples[0]?.atMs ?? now()) >= SEEN_MS;
    return hasSeenEnough ? samples.reduce((sum, item) => sum + item.count, 0) / samples.length : 0;
  }

  return {
    judge(sessions, max, isRestricted) {
      const atWork = new Map<string, DirectSession[]>();
      for (const directSession of sessions)
        if (directSession.isAtWork)
          atWork.set(directSession.ownerId, [...(atWork.get(directSession.ownerId) ?? []), directSession]);
      for (const ownerId of seen.keys()) if (!atWork.has(ownerId)) seen.delete(ownerId);
      return [...atWork].flatMap(([ownerId, group]): Verdict[] => {
        const average = note(ownerId, group.length);
        const figure = isRestricted(ownerId) ? group.length : Math.round(average);
        if (figure <= max) return [];
        seen.delete(ownerId);
        const newest = [...group]
          .sort((directSession, other) => other.id - directSession.id)
          .slice(0, Math.max(0, group.length - max));
        return newest.map((session) => ({
          session,
          bound: 'statements',
          reach: 'organization',
          figure,
          max,
        }));
      });
    },
  };
}
