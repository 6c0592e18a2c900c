import { setTimeout as pause } from 'node:timers/promises';

/**
 * Detects that this process was suspended, for example with its virtual machine. During that time the lease
 * of the process may have expired, and workers may have changed schemas without waiting for this gateway. A
 * name in a cached schema may then refer to another column.
 */
export interface ClockWatchdog {
  /** Returns whether the process was suspended and has not caught up yet. Does no I/O. */
  wasSuspended(nowMs: number): boolean;
  /** Resolves after at most two seconds. The result is true if the process has caught up. */
  caughtUp(): Promise<boolean>;
  stop(): void;
}

export interface ClockWatchdogOptions {
  /** Reads and applies the missed changes. Rejects while they cannot be read. */
  readonly catchUp: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

const BEAT_INTERVAL_MS = 250;
/**
 * If the timer has not run for this time, the process was suspended. It is far below the duration of a lease.
 */
const SUSPENDED_MS = 2_000;
const WAIT_MS = 2_000;
const RETRY_AFTER_MS = 100;

export function startClockWatchdog(options: ClockWatchdogOptions): ClockWatchdog {
  let beatMs = performance.now();
  let catching: Promise<void> | null = null;
  let isStopped = false;

  async function catchUpUntilDone(): Promise<void> {
    while (!isStopped) {
      const startedMs = performance.now();
      try {
        await options.catchUp();
        // If the process was suspended again during this read, it must read once more.
        if (performance.now() - startedMs < SUSPENDED_MS) break;
      } catch (error) {
        options.onFault(error);
        await pause(RETRY_AFTER_MS, undefined, { ref: false });
      }
    }
    beatMs = performance.now();
  }

  function catchUp(): Promise<void> {
    catching ??= catchUpUntilDone().finally(() => {
      catching = null;
    });
    return catching;
  }

  const wasSuspended = (nowMs: number): boolean => catching !== null || nowMs - beatMs > SUSPENDED_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    if (wasSuspended(nowMs)) void catchUp();
    else beatMs = nowMs;
  }, BEAT_INTERVAL_MS);
  return {
    wasSuspended,
    caughtUp: () => Promise.race([catchUp().then(() => true), pause(WAIT_MS, false, { ref: false })]),
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
