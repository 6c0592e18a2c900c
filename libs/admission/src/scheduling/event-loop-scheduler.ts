import { createNeighborActivity } from './neighbor-activity.js';
import type { Scheduler } from './response-slices.js';
import type { DatabaseRecord } from '@rowhouse/contracts';

/**
 * Divides long work into slices on the event loop. In each iteration of the loop, at most one slice runs, and
 * the databases with waiting work take turns. A short request therefore waits for at most one slice in each
 * iteration, whatever other tenants do.
 */
export interface EventLoopScheduler extends Scheduler {
  /** Resolves when the next slice of the owner may run. */
  nextSlice(owner: string): Promise<void>;
  /**
   * Resolves when the slice that serializes the given results may run. Returns null if they have few rows and
   * need no slice of their own. Call it for every request, because it also records which owners are active.
   */
  nextSliceForRows(owner: string, results: readonly { readonly rowCount: number }[]): Promise<void> | null;
  /** Reports whether another database was active recently. */
  hasActiveNeighbors(owner: string): boolean;
}

/** The services that code with long work needs. */
export interface SchedulingServices {
  readonly scheduler: EventLoopScheduler;
}

/**
 * The number of bytes that are written in one slice. This takes less than a millisecond, and is about the
 * size of one read from a socket.
 */
export const SLICE_BYTES = 64 * 1024;
/**
 * The number of rows above which serialization is divided into slices. Fewer rows take no longer than any
 * other request.
 */
const SCHEDULED_ROWS_MIN = 100;
/**
 * The length of the pause after a slice, as a multiple of the slice's duration, if other databases are
 * active. With 3, three quarters of the time remain for short requests.
 */
const PAUSE_RATIO = 3;
/** The shortest pause in milliseconds. Timers have no finer resolution. */
const PAUSE_MS_MIN = 0.5;
const PAUSE_MS_MAX = 12;

export function createEventLoopScheduler(nowMs: () => number = () => performance.now()): EventLoopScheduler {
  /** The waiting slices by owner, in the order in which the owners take turns. */
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

  /**
   * Measures the duration of a slice. It ends at the next iteration of the event loop, when everything that
   * the slice triggered is done.
   */
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
    // The next slice is scheduled before `resume` is called, because `resume` may throw.
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

/** Returns a function whose promise resolves when the next slice of a database may run. */
export function pauseOf(
  { scheduler }: SchedulingServices,
  { record }: { readonly record: Pick<DatabaseRecord, 'schemaName'> },
): () => Promise<void> {
  return () => scheduler.nextSlice(record.schemaName);
}
