import { numbersOfKind } from '@rowhouse/errors';
import { DatabaseFault } from './pool-fault.js';
import type { PoolAccount } from './pool-types.js';

/** What reads have taken so far, by their texts: a read that was always quick may stand among others on a lane. */
export interface Habits {
  /** Whether the read may go on a lane of quick reads. Of one that has never run: no. */
  isQuick(account: PoolAccount, sql: string): boolean;
  /** It ran by itself. */
  ran(account: PoolAccount, sql: string, elapsedMs: number): void;
  /** It ran on a lane: for how long those behind it waited for it, and what its answer came to. */
  held(account: PoolAccount, sql: string, heldMs: number, bytes: number): void;
  /** It was stopped on a lane, since it was not quick this time. */
  stopped(account: PoolAccount, sql: string): void;
}

/** The server ends a read on a lane of quick ones after so long; it runs again by itself. So long others wait behind it at most. */
export const QUICK_MS_MAX = 50;

/** So often it has to have run by itself, without one slow run in between. */
const RUNS_MIN = 16;
const SLOW_RUN_MS = 30;
/** One of these runs was as quick as this: what a busy process adds is in the others. */
const FASTEST_RUN_MS = 3;
/** What those behind it may wait for it in the mean, and what its answers may be. */
const HELD_MS_MAX = 6;
/** One wait counts for no more than this, however long this process or the server stood still: only several are a habit. */
const ONE_WAIT_MS_MAX = 20;
const BYTES_MAX = 64 * 1024;
/** Weight of the newest in these means. */
const NEWEST = 0.05;
/** So long it runs by itself once it was slow on a lane, and once it was stopped there. */
const SLOW_BAR_MS = 30_000;
const STOPPED_BAR_MS = 60_000;
/** Texts of one account; the one that was not asked for the longest is forgotten. */
const TEXTS_MAX = 128;

interface Habit {
  runs: number;
  fastestMs: number;
  heldMs: number;
  bytes: number;
  barredUntilMs: number;
}

/** Of a text that has still to show what it takes. */
const UNKNOWN = { runs: 0, fastestMs: Number.POSITIVE_INFINITY, heldMs: 0, bytes: 0 };

const TIMEOUT_NUMBERS = numbersOfKind('timeout');

/** Whether the server has ended a statement at its limit. */
export function isStopped(error: unknown): error is DatabaseFault {
  return error instanceof DatabaseFault && TIMEOUT_NUMBERS.has(error.errno);
}

export function createHabits(nowMs: () => number = () => performance.now()): Habits {
  const byAccount = new WeakMap<PoolAccount, Map<string, Habit>>();

  function habitOf(account: PoolAccount, sql: string): Habit {
    let habits = byAccount.get(account);
    if (habits === undefined) byAccount.set(account, (habits = new Map()));
    let habit = habits.get(sql);
    if (habit === undefined) habit = { ...UNKNOWN, barredUntilMs: 0 };
    else if (habits.size === TEXTS_MAX) habits.delete(sql);
    habits.set(sql, habit);
    if (habits.size > TEXTS_MAX) habits.delete(habits.keys().next().value ?? '');
    return habit;
  }

  function bar(habit: Habit, forMs: number): void {
    Object.assign(habit, UNKNOWN, { barredUntilMs: nowMs() + forMs });
  }

  return {
    isQuick(account, sql) {
      const habit = byAccount.get(account)?.get(sql);
      return habit !== undefined && habit.runs >= RUNS_MIN && habit.fastestMs <= FASTEST_RUN_MS && habit.barredUntilMs <= nowMs();
    },
    ran(account, sql, elapsedMs) {
      const habit = habitOf(account, sql);
      if (elapsedMs > SLOW_RUN_MS) return bar(habit, 0);
      habit.runs += 1;
      habit.fastestMs = Math.min(habit.fastestMs, elapsedMs);
    },
    held(account, sql, heldMs, bytes) {
      const habit = habitOf(account, sql);
      habit.heldMs += NEWEST * (Math.min(heldMs, ONE_WAIT_MS_MAX) - habit.heldMs);
      habit.bytes += NEWEST * (bytes - habit.bytes);
      if (habit.heldMs > HELD_MS_MAX || habit.bytes > BYTES_MAX) bar(habit, SLOW_BAR_MS);
    },
    stopped: (account, sql) => bar(habitOf(account, sql), STOPPED_BAR_MS),
  };
}
