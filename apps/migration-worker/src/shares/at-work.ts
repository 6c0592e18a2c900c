import type { DirectSession, Verdict } from './judge-sessions.js';

/**
 * The period over which the number of an owner's running statements is averaged, in milliseconds. The average
 * must stay below the limit.
 */
const WINDOW_MS = 4_000;
/** The minimum time that an owner must have been observed before its average counts, in milliseconds. */
const SEEN_MS = 2_500;

export interface StatementsWatch {
  /**
   * Returns the sessions to end. If an owner has more than `max` running statements, these are its newest
   * ones. `isRestricted` returns whether an owner exceeded the limit recently. For such an owner, the current
   * number counts instead of the average.
   */
  judge(
    sessions: readonly DirectSession[],
    max: number,
    isRestricted: (ownerId: string) => boolean,
  ): Verdict[];
}

/**
 * Counts how many statements each owner runs in parallel. This is needed because neither engine limits an
 * account's processor time.
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
