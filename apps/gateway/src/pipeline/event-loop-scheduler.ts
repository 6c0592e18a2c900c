import { createNeighborActivity, type Scheduler } from '@rowhouse/runtime';

/**
 * Schedules long work on the event loop in slices. Each iteration of the loop runs at most one slice, and the
 * waiting databases are served in rotation. A short request waits for at most one slice each time it returns
 * to the loop, whatever other tenants do.
 */
export interface EventLoopScheduler extends Scheduler {
  /** Resolves when a slice of the owner may run. */
  turn(owner: string): Promise<void>;
  /**
   * Like `nextSlice`, for results with enough rows that serializing them would be noticeable. Returns null when
   * the caller can continue. Call it for every request, because it also records which owners are active.
   */
  turnForRows(owner: string, results: readonly { readonly rowCount: number }[]): Promise<void> | null;
  /** Returns whether any other database was active recently. */
  hasCompany(owner: string): boolean;
}

/**
 * The bytes written in one slice. This is less than a millisecond of work, and about what a socket provides
 * at once.
 */
export const TURN_BYTES = 64 * 1024;
/** The number of rows from which serialization is scheduled. Fewer take no longer than any request. */
const TURN_ROWS = 100;
/**
 * While the owner has active neighbors, the loop pauses this many times the duration of a slice before the
 * next one. Three quarters of its time are then free for short requests.
 */
const REST_SHARE = 3;
/** Timers have no finer resolution. */
const REST_MS_MIN = 0.5;
const REST_MS_MAX = 12;

export function createEventLoopScheduler(nowMs: () => number = () => performance.now()): EventLoopScheduler {
  /** The waiting slices by owner, in the order in which owners are served. */
  const lines = new Map<string, (() => void)[]>();
  let isScheduled = false;
  let restUntilMs = 0;
  const neighbors = createNeighborActivity(nowMs);

  function schedule(): void {
    if (isScheduled || lines.size === 0) return;
    isScheduled = true;
    setImmediate(pause);
  }

  function pause(): void {
    const delayMs = restUntilMs - nowMs();
    if (delayMs < REST_MS_MIN) awaitSlice();
    else setTimeout(awaitSlice, delayMs);
  }

  /**
   * Measures a slice. One iteration later everything that the slice triggered is done, and its duration is
   * known.
   */
  function restFrom(startedMs: number): void {
    setImmediate(() => {
      const endMs = nowMs();
      restUntilMs = endMs + Math.min(REST_MS_MAX, (endMs - startedMs) * REST_SHARE);
    });
  }

  function awaitSlice(): void {
    isScheduled = false;
    const [next] = lines;
    if (next === undefined) return;
    const [owner, line] = next;
    const resume = line.shift();
    lines.delete(owner);
    if (line.length > 0) lines.set(owner, line);
    if (neighbors.has(owner)) restFrom(nowMs());
    // The slice may throw, and the others must still run.
    schedule();
    resume?.();
  }

  function wait(owner: string, resume: () => void): void {
    const line = lines.get(owner);
    if (line === undefined) lines.set(owner, [resume]);
    else line.push(resume);
    schedule();
  }

  const nextSlice = (owner: string): Promise<void> => new Promise((resolve) => wait(owner, resolve));
  return {
    wait,
    turn: nextSlice,
    hasCompany: (owner) => neighbors.has(owner),
    turnForRows(owner, results) {
      neighbors.note(owner);
      let rows = 0;
      for (const { rowCount } of results) rows += rowCount;
      return rows > TURN_ROWS ? nextSlice(owner) : null;
    },
  };
}
