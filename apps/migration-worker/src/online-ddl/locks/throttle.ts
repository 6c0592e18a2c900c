/** Decides how many rows the next chunk of a copy has, and how long the pause before it is. */
export interface Throttle {
  readonly rows: number;
  /** Records a finished chunk. Returns the pause before the next chunk in milliseconds. */
  done(elapsedMs: number, rowsTaken: number): number;
  /**
   * Records that locks of other sessions blocked a chunk. Returns the pause before it is retried with fewer
   * rows, in milliseconds.
   */
  blocked(): number;
}

export interface ThrottleOptions {
  /** The target duration of a chunk, which is also how long a write of the same rows may wait. */
  readonly chunkMs: number;
  readonly rowsFirst: number;
  readonly rowsMin: number;
  readonly rowsMax: number;
}

const REST_MIN_MS = 2;
const REST_MAX_MS = 200;
/**
 * How long a pause is, as a multiple of the work before it. If rows take longer than in the fastest chunk,
 * the server is busy with other work, and the pause is longer.
 */
const REST_SHARE = 2;
const SLOWNESS_MAX = 3;
const BLOCKED_REST_FIRST_MS = 10;
const BLOCKED_REST_MAX_MS = 250;

/**
 * Creates a throttle that uses at most a third of one core, and less on a busy server. A slow chunk makes the
 * next chunk smaller.
 */
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
      // The last chunk of a table has few rows, so its duration does not predict that of the next chunk.
      if (rowsTaken >= rows || elapsedMs > chunkMs)
        rows = Math.round(
          clamp(rows * clamp(chunkMs / Math.max(elapsedMs, 0.5), 0.5, 1.5), rowsMin, rowsMax),
        );
      const msPerRow = elapsedMs / Math.max(rowsTaken, 1);
      if (rowsTaken >= rowsMin) bestMsPerRow = Math.min(bestMsPerRow, msPerRow);
      return clamp(
        elapsedMs * REST_SHARE * clamp(msPerRow / bestMsPerRow, 1, SLOWNESS_MAX),
        REST_MIN_MS,
        REST_MAX_MS,
      );
    },
    blocked() {
      rows = Math.round(clamp(rows / 2, rowsMin, rowsMax));
      const delayMs = blockedRestMs;
      blockedRestMs = Math.min(blockedRestMs * 2, BLOCKED_REST_MAX_MS);
      return delayMs;
    },
  };
}
