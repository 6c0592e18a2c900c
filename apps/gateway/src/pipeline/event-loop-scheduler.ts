import { createCompany, type Turns } from '@rowhouse/mysql';

/**
 * Schedules long work on the event loop in slices. Each iteration of the loop runs at most one slice, and the
 * waiting databases are served in rotation. A short request waits for at most one slice each time it returns
 * to the loop, whatever other tenants do.
 */
export interface LoopTurns extends Turns {
  /** Resolves when a slice of the owner may run. */
  turn(owner: string): Promise<void>;
  /**
   * Like `turn`, for results with enough rows that serializing them would be noticeable. Returns null when
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

export function createLoopTurns(nowMs: () => number = () => performance.now()): LoopTurns {
  /** The waiting slices by owner, in the order in which owners are served. */
  const lines = new Map<string, (() => void)[]>();
  let isScheduled = false;
  let restUntilMs = 0;
  const company = createCompany(nowMs);

  function schedule(): void {
    if (isScheduled || lines.size === 0) return;
    isScheduled = true;
    setImmediate(rest);
  }

  function rest(): void {
    const restMs = restUntilMs - nowMs();
    if (restMs < REST_MS_MIN) takeTurn();
    else setTimeout(takeTurn, restMs);
  }

  /**
   * Measures a slice. One iteration later everything that the slice triggered is done, and its duration is
   * known.
   */
  function restFrom(begunMs: number): void {
    setImmediate(() => {
      const endMs = nowMs();
      restUntilMs = endMs + Math.min(REST_MS_MAX, (endMs - begunMs) * REST_SHARE);
    });
  }

  function takeTurn(): void {
    isScheduled = false;
    const [next] = lines;
    if (next === undefined) return;
    const [owner, line] = next;
    const goOn = line.shift();
    lines.delete(owner);
    if (line.length > 0) lines.set(owner, line);
    if (company.has(owner)) restFrom(nowMs());
    // The slice may throw, and the others must still run.
    schedule();
    goOn?.();
  }

  function wait(owner: string, goOn: () => void): void {
    const line = lines.get(owner);
    if (line === undefined) lines.set(owner, [goOn]);
    else line.push(goOn);
    schedule();
  }

  const turn = (owner: string): Promise<void> => new Promise((resolve) => wait(owner, resolve));
  return {
    wait,
    turn,
    hasCompany: (owner) => company.has(owner),
    turnForRows(owner, results) {
      company.note(owner);
      let rows = 0;
      for (const { rowCount } of results) rows += rowCount;
      return rows > TURN_ROWS ? turn(owner) : null;
    },
  };
}
