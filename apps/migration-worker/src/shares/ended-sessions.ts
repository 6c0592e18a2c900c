import type { EndedSession } from '@rowhouse/platform-store';
import type { Verdict } from './judge-sessions.js';

/**
 * The minimum time in milliseconds between two audit events of a user and limit. A user who opens new
 * sessions in a loop must not fill the audit log.
 */
const INTERVAL_MS = 60_000;

export interface EndedSessions {
  /** Returns the events to record now: at most one a minute for each connection user and limit. */
  add(verdicts: readonly Verdict[], node: string): EndedSession[];
}

export function createEndedSessions(now: () => number = () => performance.now()): EndedSessions {
  const seen = new Map<string, { readonly atMs: number; more: number }>();
  return {
    add(verdicts, node) {
      const groups = new Map<string, Verdict[]>();
      for (const verdict of verdicts) {
        const key = `${verdict.session.connectionId} ${verdict.bound} ${verdict.reach}`;
        groups.set(key, [...(groups.get(key) ?? []), verdict]);
      }
      for (const [key, { atMs, more }] of seen)
        if (more === 0 && now() - atMs >= INTERVAL_MS) seen.delete(key);
      return [...groups].flatMap(([key, group]) => {
        const before = seen.get(key);
        if (before !== undefined && now() - before.atMs < INTERVAL_MS) {
          before.more += group.length;
          return [];
        }
        seen.set(key, { atMs: now(), more: 0 });
        return toEvent(group, (before?.more ?? 0) + group.length, node);
      });
    },
  };
}

function toEvent([first]: readonly Verdict[], sessions: number, node: string): EndedSession[] {
  if (first === undefined) return [];
  const { session, bound, reach, figure, max } = first;
  return [
    {
      databaseId: session.databaseId,
      connectionId: session.connectionId,
      bound,
      detail: { reach, figure, max, unit: unitOf(first), sessions, user_name: session.userName, node },
    },
  ];
}

function unitOf({ bound }: Verdict): string {
  if (bound === 'connections') return 'sessions';
  if (bound === 'statements') return 'statements at work';
  if (bound === 'named_locks') return 'locks';
  if (bound === 'temporary_tables') return 'tables';
  return bound === 'memory' || bound === 'temporary_disk' ? 'bytes' : 'seconds';
}
