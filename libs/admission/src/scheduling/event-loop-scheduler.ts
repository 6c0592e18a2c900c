import { createNeighborActivity } from './neighbor-activity.js';
import type { Scheduler } from './response-slices.js';
import type { DatabaseRecord } from '@rowhouse/contracts';

/**
 * Schedules long work on the event loop in slices. Each iteration of the loop runs at most one slice, and the
 * waiting databases are served in rotation. A short request waits for at most one slice each time it returns
 * to the loop, whatever other tenants do.
 */
export interface EventLoopScheduler extends Scheduler {
  /** Resolves when a slice of the owner may run. */
  nextSlice(owner: string): Promise<void>;
  /**
   * Like `nextSlice`, before the given results are serialized. Returns null when they have few rows and need
   * no slice. Call it for every request, because it also records which owners are active.
   */
  nextSliceForRows(owner: string, results: readonly { readonly rowCount: number }[]): Promise<void> | null;
  /** Returns whether any other database was active recently. */
  hasActiveNeighbors(owner: string): boolean;
}

/** Services that schedule long work. */
export interface SchedulingServices {
  readonly scheduler: EventLoopScheduler;
}

/**
 * The bytes written in one slice: less than a millisecond of work, and about what one socket read provides.
 */
export const SLICE_BYTES = 64 * 1024;
/** Serialization is scheduled above this number of rows. Fewer rows take no longer than any request. */
const SCHEDULED_ROWS_MIN = 100;
/**
 * While the owner has active neighbors, the loop pauses this many times the duration of a slice before the
 * next one. Three quarters of its time are then free for short requests.
 */
const PAUSE_RATIO = 3;
/** The shortest pause, because timers have no finer resolution. */
const PAUSE_MS_MIN = 0.5;
const PAUSE_MS_MAX = 12;

export function createEventLoopScheduler(nowMs: () => number = () => performance.now()): EventLoopScheduler {
  /** The waiting slices by owner, in the order in which owners are served. */
  const queues = new Map<string, (() => void)[]>();
  let isScheduled = false;
  let pausedUntilMs = 0;
  const neighbors = createNeighborActivity(nowMs);

  function schedule(): void {
    if (isScheduled || queues.size === 0) return;
    isScheduled = true;
    setImmediate(pauseThenRun);
  }

  function pauseThenRun(): void {
    const delayMs = pausedUntilMs - nowMs();
    if (delayMs < PAUSE_MS_MIN) runNextSlice();
    else setTimeout(runNextSlice, delayMs);
  }

  /** Measures a slice until the next iteration, when everything that the slice triggered is done. */
  function measureSlice(startedMs: number): void {
    setImmediate(() => {
      const endMs = nowMs();
      pausedUntilMs = endMs + Math.min(PAUSE_MS_MAX, (endMs - startedMs) * PAUSE_RATIO);
    });
  }

  function runNextSlice(): void {
    isScheduled = false;
    const [next] = queues;
    if (next === undefined) return;
    const [owner, queue] = next;
    const resume = queue.shift();
    queues.delete(owner);
    if (queue.length > 0) queues.set(owner, queue);
    if (neighbors.has(owner)) measureSlice(nowMs());
    // Scheduled before `resume`, which may throw.
    schedule();
    resume?.();
  }

  function wait(owner: string, resume: () => void): void {
    const queue = queues.get(owner);
    if (queue === undefined) queues.set(owner, [resume]);
    else queue.push(resume);
    schedule();
  }

  const nextSlice = (owner: string): Promise<void> => new Promise((resolve) => wait(owner, resolve));
  return {
    wait,
    nextSlice,
    hasActiveNeighbors: (owner) => neighbors.has(owner),
    nextSliceForRows(owner, results) {
      neighbors.note(owner);
      let rows = 0;
      for (const { rowCount } of results) rows += rowCount;
      return rows > SCHEDULED_ROWS_MIN ? nextSlice(owner) : null;
    },
  };
}

/** Returns a function that resolves when the next slice of the database may run. */
export function pauseOf(
  { scheduler }: SchedulingServices,
  { record }: { readonly record: Pick<DatabaseRecord, 'schemaName'> },
): () => Promise<void> {
  return () => scheduler.nextSlice(record.schemaName);
}
