/** How many rows the next chunk takes, and how long to rest before it. */
export interface Throttle {
  readonly rows: number;
  /** Notes a chunk that took so long; gives the rest before the next one. */
  done(elapsedMs: number, rowsTaken: number): number;
  /** Notes a chunk that met other people's locks; gives the rest before it is tried again, smaller. */
  blocked(): number;
}

export interface ThrottleOptions {
  /** A chunk should take about this long: for so long may a write of the same rows wait. */
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

/** Takes a third of one core at most, less on a busy server; a slow chunk makes the next one smaller. */
export function createThrottle(options: ThrottleOptions): Throttle {
  const { chunkMs, rowsMin, rowsMax } = options;
  let rows = options.rowsFirst;
  let blockedRestMs = BLOCKED_REST_FIRST_MS;
  let bestMsPerRow = Number.POSITIVE_INFINITY;
  const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);
  return {
    get rows() {
      return rows;
    },
    done(elapsedMs, rowsTaken) {
      blockedRestMs = BLOCKED_REST_FIRST_MS;
      // A chunk at the end of the table is short and tells nothing of the next.
      if (rowsTaken >= rows || elapsedMs > chunkMs) rows = Math.round(clamp(rows * clamp(chunkMs / Math.max(elapsedMs, 0.5), 0.5, 1.5), rowsMin, rowsMax));
      const msPerRow = elapsedMs / Math.max(rowsTaken, 1);
      if (rowsTaken >= rowsMin) bestMsPerRow = Math.min(bestMsPerRow, msPerRow);
      return clamp(elapsedMs * REST_SHARE * clamp(msPerRow / bestMsPerRow, 1, SLOWNESS_MAX), REST_MIN_MS, REST_MAX_MS);
    },
    blocked() {
      rows = Math.round(clamp(rows / 2, rowsMin, rowsMax));
      const restMs = blockedRestMs;
      blockedRestMs = Math.min(blockedRestMs * 2, BLOCKED_REST_MAX_MS);
      return restMs;
    },
  };
}
