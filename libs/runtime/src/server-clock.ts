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
/** What took longer on its way says too little: it may be wrong by half of it, to either side. */
const ROUND_TRIP_MAX_MS = 500;
/** Of a process that begins: its first answers come late, since it still loads what it consists of. */
const FIRST_LOOKS_MAX = 5;

/** Rejects when the time cannot be read at first; later the last comparison goes on. */
export async function startServerClock(options: ServerClockOptions): Promise<ServerClock> {
  let offsetMs = 0;
  let doubtMs = Number.POSITIVE_INFINITY;

  /** One that says less than what is known is not believed; what says enough makes way for what is newer. */
  async function sync(): Promise<void> {
    const sentMs = performance.now();
    const timeMs = await options.readTimeMs();
    const roundTripMs = performance.now() - sentMs;
    if (!Number.isFinite(timeMs)) throw new Error('the database told no time');
    if (roundTripMs > ROUND_TRIP_MAX_MS && roundTripMs >= doubtMs) return;
    offsetMs = timeMs - sentMs - roundTripMs / 2;
    doubtMs = roundTripMs;
  }

  await sync();
  for (let looks = 1; looks < FIRST_LOOKS_MAX && doubtMs > ROUND_TRIP_MAX_MS; looks += 1) await sync().catch(options.onFault);
  const timer = setInterval(() => void sync().catch(options.onFault), LOOK_INTERVAL_MS);
  timer.unref();
  return {
    nowMs: () => performance.now() + offsetMs,
    sync,
    stop: () => clearInterval(timer),
  };
}
