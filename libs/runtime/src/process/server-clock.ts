/**
 * The time of the platform database, extrapolated with this process's monotonic clock. Deadlines therefore
 * end at the same moment in every process, even where a machine's clock is wrong. Reading the clock needs no
 * I/O.
 */
export interface ServerClock {
  /** Returns milliseconds since 1970. */
  nowMs(): number;
  /**
   * Compares the clock with the database now, for example after the process was suspended. Rejects when the
   * time cannot be read.
   */
  sync(): Promise<void>;
  stop(): void;
}

export interface ServerClockOptions {
  /** Returns the database's time in milliseconds since 1970. */
  readonly readTimeMs: () => Promise<number>;
  readonly onFault: (error: unknown) => void;
}

const CHECK_INTERVAL_MS = 10_000;
/**
 * The maximum round trip in milliseconds. The error of a comparison is up to half of its round trip, so
 * slower comparisons are too inaccurate.
 */
const ROUND_TRIP_MAX_MS = 500;
/** The first comparisons of a starting process are slow, because it is still loading code. */
const FIRST_CHECKS_MAX = 5;

/**
 * Starts the clock. Rejects when the first comparison fails. After a later failure, the last comparison stays
 * in use.
 */
export async function startServerClock(options: ServerClockOptions): Promise<ServerClock> {
  let offsetMs = 0;
  let doubtMs = Number.POSITIVE_INFINITY;

  /**
   * Compares the clock with the database. Ignores a comparison that is less accurate than the current one.
   */
  async function sync(): Promise<void> {
    const sentMs = performance.now();
    const timeMs = await options.readTimeMs();
    const roundTripMs = performance.now() - sentMs;
    if (!Number.isFinite(timeMs)) throw new Error('the database returned no time');
    if (roundTripMs > ROUND_TRIP_MAX_MS && roundTripMs >= doubtMs) return;
    offsetMs = timeMs - sentMs - roundTripMs / 2;
    doubtMs = roundTripMs;
  }

  await sync();
  for (let checkCount = 1; checkCount < FIRST_CHECKS_MAX && doubtMs > ROUND_TRIP_MAX_MS; checkCount += 1)
    await sync().catch(options.onFault);
  const timer = setInterval(() => void sync().catch(options.onFault), CHECK_INTERVAL_MS);
  timer.unref();
  return {
    nowMs: () => performance.now() + offsetMs,
    sync,
    stop: () => clearInterval(timer),
  };
}
