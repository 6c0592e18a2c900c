import { estimateRowCost, type SeenChunk } from './estimate-row-cost.js';

/** How many rows the next chunk takes, and how long to rest before it. */
export interface Throttle {
  readonly rows: number;
  /** Notes a chunk that took so long; gives the rest before the next one. */
  done(elapsedMs: number, rowsTaken: number): number;
  /** Notes a chunk that met other people's locks; gives the rest before it is tried again, smaller. */
  blocked(): number;
}

export interface ThrottleOptions {
  /** The rows of a chunk should cost about this long: for so long may a write of the same rows wait. */
  readonly chunkMs: number;
  readonly rowsFirst: number;
  readonly rowsMin: number;
  readonly rowsMax: number;
}

const REST_MIN_MS = 2;
const REST_MAX_MS = 200;
/** A rest lasts so many times as long as the work before it, and longer still where rows cost more than they did at best: somebody else needs the server. */
const REST_SHARE = 2;
const SLOWNESS_MAX = 3;
const BLOCKED_REST_FIRST_MS = 10;
const BLOCKED_REST_MAX_MS = 250;

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** Takes a third of one core at most, less on a busy server; a slow chunk makes the next one smaller where its rows are what took the time. */
export function createThrottle(options: ThrottleOptions): Throttle {
  const { rowsMin } = options;
  const size = createChunkSize(options);
  let blockedRestMs = BLOCKED_REST_FIRST_MS;
  let bestMsPerRow = Number.POSITIVE_INFINITY;
  return {
    get rows() {
      return size.next();
    },
    done(elapsedMs, rowsTaken) {
      blockedRestMs = BLOCKED_REST_FIRST_MS;
      size.learn({ rows: rowsTaken, elapsedMs });
      const msPerRow = elapsedMs / Math.max(rowsTaken, 1);
      if (rowsTaken >= rowsMin) bestMsPerRow = Math.min(bestMsPerRow, msPerRow);
      return clamp(elapsedMs * REST_SHARE * clamp(msPerRow / bestMsPerRow, 1, SLOWNESS_MAX), REST_MIN_MS, REST_MAX_MS);
    },
    blocked() {
      size.halve();
      const restMs = blockedRestMs;
      blockedRestMs = Math.min(blockedRestMs * 2, BLOCKED_REST_MAX_MS);
      return restMs;
    },
  };
}

const SHRINK_MAX = 0.5;
const GROW_MAX = 1.5;
const ELAPSED_MIN_MS = 0.5;
/** Chunks that the estimate looks at. */
const SEEN_MAX = 24;
/** With so many seen, one that is so many times as long as the longest is no chance: what was learned before it no longer holds. */
const SEEN_UNTIL_KNOWN = 4;
const SURPRISE = 2;
/** After so many chunks above the target in a row, or one so many times as long, each second chunk takes a part of the rows, so that there are two sizes to compare. */
const SLOW_UNTIL_TRIED = 3;
const SLOW_AT_ONCE = 2;
const TRIED_PART = 4;
/** A size that has no smaller one to be compared with is compared with twice itself, less often. */
const LEAST_TRIED_EACH = 4;

interface ChunkSize {
  next(): number;
  learn(chunk: SeenChunk): void;
  halve(): void;
}

/**
 * The whole of a chunk within the target where that goes. Where it does not, since a chunk takes that long however small
 * it is, the part of its rows: a chunk that waits for a core holds no rows yet, and smaller ones would wait as often.
 */
function createChunkSize({ chunkMs, rowsFirst, rowsMin, rowsMax }: ThrottleOptions): ChunkSize {
  let rows = rowsFirst;
  let seen: SeenChunk[] = [];
  let turn = 0;
  let slowInRow = 0;
  const set = (value: number): void => void (rows = Math.round(clamp(value, rowsMin, rowsMax)));
  const isTrying = (): boolean => slowInRow >= SLOW_UNTIL_TRIED;
  const isSmaller = (): boolean => isTrying() && turn % 2 === 1;
  return {
    next() {
      if (isSmaller()) return Math.max(rowsMin, Math.round(rows / TRIED_PART));
      return isTrying() && rows < 2 * rowsMin && turn % LEAST_TRIED_EACH === 2 ? 2 * rowsMin : rows;
    },
    learn(chunk) {
      const { elapsedMs } = chunk;
      const wasSmaller = isSmaller();
      turn += 1;
      if (elapsedMs > chunkMs && seen.length >= SEEN_UNTIL_KNOWN && elapsedMs > SURPRISE * Math.max(...seen.map((one) => one.elapsedMs))) seen = [];
      seen = [...seen, chunk].slice(-SEEN_MAX);
      if (elapsedMs > chunkMs) {
        slowInRow = elapsedMs > SLOW_AT_ONCE * chunkMs ? SLOW_UNTIL_TRIED : slowInRow + 1;
        set(clamp(aimRows(rows, chunk, seen, chunkMs), rows * SHRINK_MAX, rows * GROW_MAX));
      } else if (!wasSmaller) {
        slowInRow = 0;
        // A chunk at the end of the table is short and tells nothing of the next.
        if (chunk.rows >= rows) set(rows * Math.min(chunkMs / Math.max(elapsedMs, ELAPSED_MIN_MS), GROW_MAX));
      }
    },
    halve: () => set(rows / 2),
  };
}

/** The rows after a chunk above the target. Without two sizes to compare, all of its time is taken for that of its rows. */
function aimRows(rows: number, chunk: SeenChunk, seen: readonly SeenChunk[], chunkMs: number): number {
  const asWhole = (rows * chunkMs) / chunk.elapsedMs;
  const cost = estimateRowCost(seen);
  if (cost === null) return asWhole;
  const rowsAt = (msPerRow: number): number => (msPerRow > 0 ? chunkMs / msPerRow : Number.POSITIVE_INFINITY);
  const [likely, bound] = [rowsAt(cost.likely), rowsAt(cost.surely)];
  const aim = likely > rows ? likely : Math.min(bound, rows);
  // Most of the time is that of the rows: fewer of them bring the whole within the target.
  return cost.likely * chunk.rows > chunk.elapsedMs / 2 ? Math.min(aim, asWhole) : aim;
}
