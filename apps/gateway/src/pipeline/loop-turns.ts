import { createCompany, type Turns } from '@rowhouse/mysql';

/**
 * Who has much to do in one go takes turns at the event loop: one piece in each turn of it, however many there are, and
 * the databases that wait are served one after the other. So a short request waits for one piece at most each time that
 * it comes back to the loop, whatever a neighbour asks for.
 */
export interface LoopTurns extends Turns {
  /** Resolves when it is the owner's turn. */
  turn(owner: string): Promise<void>;
  /**
   * The same where results have so many rows that making text of them would be felt; null: go on. To be asked by every
   * request, since it tells who is at work.
   */
  turnForRows(owner: string, results: readonly { readonly rowCount: number }[]): Promise<void> | null;
  /** Whether any other database was asked something lately. */
  hasCompany(owner: string): boolean;
}

/** What is written in one piece: less than a millisecond of work, and about what a socket gives at once. */
export const TURN_BYTES = 64 * 1024;
/** That become text: fewer are no more than any request takes. */
const TURN_ROWS = 100;
/** So many times as long as a piece took, the loop rests from pieces before the next one, where their owner has company: three quarters of it are free for short requests then. */
const REST_SHARE = 3;
/** Timers are no finer. */
const REST_MS_MIN = 0.5;
const REST_MS_MAX = 12;

export function createLoopTurns(nowMs: () => number = () => performance.now()): LoopTurns {
  /** By owner, in the order in which they are served. */
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

  /** A turn of the event loop later all that a piece led to is done, and how long it took is known. */
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
    // What it does may throw, and the others are to go on.
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
