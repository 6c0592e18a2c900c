import { inTime, type Logger } from '@rowhouse/runtime';
import type { Examination } from './examine-database.js';

/** A look costs some milliseconds; with it, the next statement of somebody who sends one after the other is live within a second, too. */
const GAP_MIN_MS = 400;
/** Between looks that failed, each gap is twice the one before, up to this. */
const GAP_MAX_MS = 5_000;
/** Then it is given up, two minutes after the first: a server that comes back has its databases looked at anyway. */
const FAULTS_MAX = 30;
const AT_ONCE_MAX = 4;
/** Then its place goes to others: a server that stands still must not keep all of them. */
const HELD_MS_MAX = 20_000;

export interface ExaminationQueue {
  /**
   * Asks for a look. Asked for while one is under way or just was, the database is looked at once more, 400 ms after the last
   * began. A look that fails is made again, later each time: nobody else would ask for it.
   */
  ask(databaseId: string): void;
  stop(): void;
}

interface Entry {
  isRunning: boolean;
  isWanted: boolean;
  lastStartedAtMs: number;
  /** Looks that failed since the last that did not. */
  faults: number;
  timer: NodeJS.Timeout | undefined;
}

/** One look at a time and one each 400 ms at most for a database, a few databases at once. */
export function createExaminationQueue(logger: Logger, examine: (databaseId: string) => Promise<Examination>): ExaminationQueue {
  const entries = new Map<string, Entry>();
  const waiting: string[] = [];
  let running = 0;
  let isStopped = false;

  async function run(databaseId: string, entry: Entry): Promise<void> {
    entry.isRunning = true;
    entry.isWanted = false;
    entry.lastStartedAtMs = performance.now();
    try {
      const outcome = await inTime(examine(databaseId), HELD_MS_MAX, () => new LateLook('its server has not answered in time'));
      entry.faults = 0;
      if (outcome === 'later') entry.isWanted = true;
    } catch (error) {
      entry.faults += 1;
      logger.warn({ database: databaseId, faults: entry.faults, err: error }, 'a database could not be examined');
      if (error instanceof LateLook || entry.faults >= FAULTS_MAX) entry.faults = 0;
      else entry.isWanted = true;
    }
    entry.isRunning = false;
    running -= 1;
    if (entry.isWanted) schedule(databaseId, entry);
    pump();
  }

  function schedule(databaseId: string, entry: Entry): void {
    if (isStopped || entry.isRunning || entry.timer !== undefined) return;
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
        entry = { isRunning: false, isWanted: false, lastStartedAtMs: -GAP_MIN_MS, faults: 0, timer: undefined };
        entries.set(databaseId, entry);
      }
      if (entry.isWanted && !entry.isRunning) return;
      entry.isWanted = true;
      schedule(databaseId, entry);
    },
    stop() {
      isStopped = true;
      for (const entry of entries.values()) clearTimeout(entry.timer);
    },
  };
}

/** Made again only when somebody asks: it would take its place from others again. */
class LateLook extends Error {}
