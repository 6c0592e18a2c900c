import type { Bound, ShareBounds } from './bounds.js';

/** A session of a connection user as the server describes it. */
export interface DirectSession {
  /** The server's id of the session. Later sessions have larger ids. */
  readonly id: number;
  readonly connectionId: string;
  readonly userName: string;
  readonly databaseId: string;
  readonly ownerId: string;
  readonly isIdle: boolean;
  /** Whether the session runs a statement and waits for no lock. */
  readonly isAtWork: boolean;
  readonly memoryBytes: number;
  readonly tempBytes: number;
  /** The number of GET_LOCK locks that the session holds. It is 0 while the server has few such locks. */
  readonly namedLocks: number;
  /** The number of temporary tables. It is 0 on MySQL, and while the server has few tables. */
  readonly tempTables: number;
  /** The age of the session's transaction in milliseconds; null without a transaction. */
  readonly transactionMs: number | null;
  /** The time in milliseconds for which the session has been idle within the transaction. */
  readonly idleMs: number;
}

export type BoundName =
  | 'connections'
  | 'statements'
  | 'memory'
  | 'temporary_disk'
  | 'named_locks'
  | 'temporary_tables'
  | 'transaction'
  | 'idle_transaction';
export type BoundReach = 'session' | 'database' | 'organization' | 'server';

/** The reason for ending a session: the limit, its scope, the measured value and the allowed value. */
export interface Verdict {
  readonly session: DirectSession;
  readonly bound: BoundName;
  readonly reach: BoundReach;
  readonly figure: number;
  readonly max: number;
}

/**
 * Returns the sessions to end, so that the others stay within all limits. If there are too many sessions, the
 * newest ones are ended first. If another limit is exceeded, the largest sessions are ended first. If the
 * limit of the whole server is exceeded, the owners with the most lose sessions until all have an even share.
 */
export function judgeSessions(sessions: readonly DirectSession[], bounds: ShareBounds): Verdict[] {
  const verdicts = new Map<number, Verdict>();
  const end = (verdict: Verdict): void =>
    void (verdicts.has(verdict.session.id) || verdicts.set(verdict.session.id, verdict));
  const left = (): DirectSession[] => sessions.filter(({ id }) => !verdicts.has(id));

  for (const session of sessions) judgeTransaction(session, bounds, end);
  const amounts = [
    {
      bound: 'memory',
      max: bounds.memoryBytes,
      amountOf: (directSession: DirectSession) => directSession.memoryBytes,
    },
    {
      bound: 'temporary_disk',
      max: bounds.tempBytes,
      amountOf: (directSession: DirectSession) => directSession.tempBytes,
    },
    {
      bound: 'named_locks',
      max: bounds.namedLocks,
      amountOf: (directSession: DirectSession) => directSession.namedLocks,
    },
    {
      bound: 'temporary_tables',
      max: bounds.tempTables,
      amountOf: (directSession: DirectSession) => directSession.tempTables,
    },
  ] as const;
  for (const { bound, max, amountOf } of amounts) {
    for (const session of left()) {
      if (amountOf(session) > max.single)
        end({ session, bound, reach: 'session', figure: amountOf(session), max: max.single });
    }
    const largestFirst = (directSession: DirectSession, other: DirectSession): number =>
      amountOf(other) - amountOf(directSession);
    endSessionsAbove({ bound, max, amountOf, order: largestFirst, left, end });
  }
  const newestFirst = (directSession: DirectSession, other: DirectSession): number =>
    other.id - directSession.id;
  endSessionsAbove({
    bound: 'connections',
    max: bounds.sessions,
    amountOf: () => 1,
    order: newestFirst,
    left,
    end,
  });
  return [...verdicts.values()];
}

function judgeTransaction(
  session: DirectSession,
  bounds: ShareBounds,
  end: (verdict: Verdict) => void,
): void {
  if (session.transactionMs === null) return;
  const verdict = (bound: BoundName, figureMs: number, maxMs: number): Verdict => ({
    session,
    bound,
    reach: 'session',
    figure: Math.round(figureMs / 1_000),
    max: Math.round(maxMs / 1_000),
  });
  const idleMs = Math.min(session.idleMs, session.transactionMs);
  if (session.isIdle && idleMs > bounds.idleTransactionMs)
    end(verdict('idle_transaction', idleMs, bounds.idleTransactionMs));
  else if (session.transactionMs > bounds.transactionMs)
    end(verdict('transaction', session.transactionMs, bounds.transactionMs));
}

interface Measure {
  readonly bound: BoundName;
  readonly max: Bound;
  readonly amountOf: (session: DirectSession) => number;
  readonly order: (directSession: DirectSession, other: DirectSession) => number;
  /** Returns the sessions that no verdict has ended yet. */
  readonly left: () => DirectSession[];
  readonly end: (verdict: Verdict) => void;
}

function endSessionsAbove({ bound, max, amountOf, order, left, end }: Measure): void {
  const total = (group: readonly DirectSession[]): number =>
    group.reduce((sum, directSession) => sum + amountOf(directSession), 0);
  const trim = (
    group: readonly DirectSession[],
    reach: BoundReach,
    groupMax: number,
    reportedMax = groupMax,
  ): void => {
    let amount = total(group);
    const figure = amount;
    for (const session of [...group].sort(order)) {
      if (amount <= groupMax) return;
      end({ session, bound, reach, figure, max: reportedMax });
      amount -= amountOf(session);
    }
  };
  for (const group of groupBy(left(), (directSession) => directSession.databaseId))
    trim(group, 'database', max.database);
  for (const group of groupBy(left(), (directSession) => directSession.ownerId))
    trim(group, 'organization', max.owner);
  const owners = groupBy(left(), (directSession) => directSession.ownerId);
  const level = findLevel(owners.map(total), max.server);
  for (const group of owners) trim(group, 'server', level, max.server);
}

function groupBy(
  sessions: readonly DirectSession[],
  keyOf: (session: DirectSession) => string,
): DirectSession[][] {
  const groups = new Map<string, DirectSession[]>();
  for (const session of sessions)
    groups.set(keyOf(session), [...(groups.get(keyOf(session)) ?? []), session]);
  return [...groups.values()];
}

/** Returns the largest maximum for each owner with which the sum over all owners is at most `max`. */
export function findLevel(amounts: readonly number[], max: number): number {
  const sorted = [...amounts].sort((a, b) => a - b);
  let rest = max;
  for (const [index, amount] of sorted.entries()) {
    const even = rest / (sorted.length - index);
    if (amount > even) return Math.floor(even);
    rest -= amount;
  }
  return Number.POSITIVE_INFINITY;
}
