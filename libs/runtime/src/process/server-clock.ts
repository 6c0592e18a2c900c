/**
 * The time of the platform database, extrapolated with the monotonic clock of this process. Deadlines
 * therefore end at the same moment in every process, even if the clock of a machine is wrong. Reading the
 * time needs no I/O.
 */
export interface ServerClock {
  /** Returns the time in milliseconds since 1970. */
  nowMs(): number;
  /**
   * Compares the clock with the database immediately, for example after the process was suspended. Rejects if
   * the time cannot be read.
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
 * The maximum duration of a round trip in milliseconds. A comparison can be wrong by up to half of its round
 * trip, so slower comparisons are too inaccurate.
 */
const ROUND_TRIP_MAX_MS = 500;
/**
 * The maximum number of comparisons at the start. The first ones are slow, because the process is still
 * loading code.
 */
const FIRST_CHECKS_MAX = 5;

/**
 * Starts the clock. Rejects if the first comparison fails. If a later comparison fails, the previous one
 * remains in use.
 */
export async function startServerClock(options: ServerClockOptions): Promise<ServerClock> {
  let offsetMs = 0;
  let doubtMs = Number.POSITIVE_INFINITY;

  /**
   * Compares the clock with the database. A comparison that is less accurate than the current one is ignored.
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
