/**
 * The time of the platform database, told by this process's own monotonic clock. What ends at a moment ends at that
 * moment in every process, however wrong the clock of its machine is. Asking costs no I/O.
 */
export interface ServerClock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Compares now: after the process has stood still. Rejects when the time cannot be read. */
  sync(): Promise<void>;
  stop(): void;
}

export interface ServerClockOptions {
  /** Milliseconds since 1970, by the database. */
  readonly readTimeMs: () => Promise<number>;
  readonly onFault: (error: unknown) => void;
}

const LOOK_INTERVAL_MS = 10_000;
/** What took longer on its way says too little. */
const ROUND_TRIP_MAX_MS = 500;

/** Rejects when the time cannot be read at first; later the last comparison goes on. */
export async function startServerClock(options: ServerClockOptions): Promise<ServerClock> {
  let offsetMs: number | null = null;

  async function sync(): Promise<void> {
    const sentMs = performance.now();
    const timeMs = await options.readTimeMs();
    const roundTripMs = performance.now() - sentMs;
    if (!Number.isFinite(timeMs)) throw new Error('the database told no time');
    if (offsetMs === null || roundTripMs <= ROUND_TRIP_MAX_MS) offsetMs = timeMs - sentMs - roundTripMs / 2;
  }

  await sync();
  const timer = setInterval(() => void sync().catch(options.onFault), LOOK_INTERVAL_MS);
  timer.unref();
  return {
    nowMs: () => performance.now() + (offsetMs ?? 0),
    sync,
    stop: () => clearInterval(timer),
  };
}
