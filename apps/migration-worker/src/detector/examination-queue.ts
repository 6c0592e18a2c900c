import { inTime, type Logger } from '@rowhouse/runtime';
import type { Examination } from './examine-database.js';

/**
 * The minimum time between two examinations of a database. An examination takes a few milliseconds. If a user
 * runs two statements in quick succession, the second one is live within a second.
 */
const GAP_MIN_MS = 400;
/** The maximum time between two examinations. The time doubles after each failure. */
const GAP_MAX_MS = 5_000;
/**
 * After this number of failures, which takes about two minutes, a database is no longer examined. When the
 * server responds again, its watch requests examinations.
 */
const FAULTS_MAX = 30;
const AT_ONCE_MAX = 4;
/**
 * The time after which an examination's slot is free for others. A server that hangs must not occupy all
 * slots. No other examination of the database begins until this one has ended.
 */
const HELD_MS_MAX = 20_000;

export interface ExaminationQueue {
  /**
   * Requests an examination. If one is running or has just ended, another follows, at the earliest 400 ms
   * after the last one began. A failed examination is repeated with growing delays, because nothing else
   * would request it again.
   */
  ask(databaseId: string): void;
  stop(): void;
  /** Returns the number of databases in memory. */
  size(): number;
}

interface Entry {
  isRunning: boolean;
  isWanted: boolean;
  lastStartedAtMs: number;
  /** Failures since the last success. */
  faults: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Runs at most one examination at a time per database, at most one every 400 ms, and a few databases in
 * parallel.
 */
export function createExaminationQueue(
  logger: Logger,
  examine: (databaseId: string) => Promise<Examination>,
): ExaminationQueue {
  const entries = new Map<string, Entry>();
  const waiting: string[] = [];
  let running = 0;
  let isStopped = false;

  async function run(databaseId: string, entry: Entry): Promise<void> {
    entry.isRunning = true;
    entry.isWanted = false;
    entry.lastStartedAtMs = performance.now();
    const examining = examine(databaseId);
    try {
      const outcome = await inTime(
        examining,
        HELD_MS_MAX,
        () => new CheckTimeoutError('its server has not answered in time'),
      );
      entry.faults = 0;
      if (outcome === 'later') entry.isWanted = true;
    } catch (error) {
      entry.faults += 1;
      logger.warn(
        { database: databaseId, faults: entry.faults, err: error },
        'a database could not be examined',
      );
      if (error instanceof CheckTimeoutError) {
        entry.faults = 0;
        running -= 1;
        pump();
        await examining.catch(() => undefined);
        running += 1;
      } else if (entry.faults >= FAULTS_MAX) entry.faults = 0;
      else entry.isWanted = true;
    }
    entry.isRunning = false;
    running -= 1;
    if (entry.isWanted) schedule(databaseId, entry);
    else forgetLater(databaseId, entry);
    pump();
  }

  /** Keeps the entry for as long as a request would have to wait for the minimum gap. */
  function forgetLater(databaseId: string, entry: Entry): void {
    if (isStopped) return;
    entry.timer = setTimeout(() => entries.delete(databaseId), GAP_MIN_MS);
    entry.timer.unref();
  }

  function schedule(databaseId: string, entry: Entry): void {
    if (isStopped || entry.isRunning) return;
    clearTimeout(entry.timer);
    const gapMs = Math.min(GAP_MIN_MS * 2 ** entry.faults, GAP_MAX_MS);
    const delayMs = Math.max(0, entry.lastStartedAtMs + gapMs - performance.now());
    const queue = (): void => {
      entry.timer = undefined;
      waiting.push(databaseId);
      pump();
    };
    if (delayMs === 0) queue();
    else entry.timer = setTimeout(queue, delayMs);
  }

  function pump(): void {
    while (!isStopped && running < AT_ONCE_MAX) {
      const databaseId = waiting.shift();
      if (databaseId === undefined) return;
      const entry = entries.get(databaseId);
      if (entry === undefined || entry.isRunning) continue;
      running += 1;
      void run(databaseId, entry);
    }
  }

  return {
    ask(databaseId) {
      let entry = entries.get(databaseId);
      if (entry === undefined) {
        entry = {
          isRunning: false,
          isWanted: false,
          lastStartedAtMs: -GAP_MIN_MS,
          faults: 0,
          timer: undefined,
        };
        entries.set(databaseId, entry);
      }
      // It is already scheduled.
      if (entry.isWanted && !entry.isRunning) return;
      entry.isWanted = true;
      schedule(databaseId, entry);
    },
    size: () => entries.size,
    stop() {
      isStopped = true;
      for (const entry of entries.values()) clearTimeout(entry.timer);
    },
  };
}

/**
 * An examination took too long. It is repeated only on request, because it would otherwise occupy a slot
 * again.
 */
class CheckTimeoutError extends Error {}
