import { setTimeout as pause } from 'node:timers/promises';

/**
 * Detects that this process was suspended, for example stopped or migrated with its virtual machine. Its
 * lease expired in that time, so no worker waited for it. Column names in its schemas may refer to different
 * columns by now.
 */
export interface ClockWatchdog {
  /** Returns whether the process was suspended and has not caught up yet. Does no I/O. */
  wasSuspended(nowMs: number): boolean;
  /** Resolves to whether the process has caught up, after at most two seconds. */
  caughtUp(): Promise<boolean>;
  stop(): void;
}

export interface ClockWatchdogOptions {
  /** Reads and applies the missed changes. Rejects while they cannot be read. */
  readonly catchUp: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

const BEAT_INTERVAL_MS = 250;
/** Well below the remaining time of a recently written lease. */
const STILL_MS = 2_000;
const WAIT_MS = 2_000;
const AGAIN_AFTER_MS = 100;

export function startClockWatchdog(options: ClockWatchdogOptions): ClockWatchdog {
  let beatMs = performance.now();
  let catching: Promise<void> | null = null;
  let isStopped = false;

  async function catchUpAtLast(): Promise<void> {
    while (!isStopped) {
      const startedMs = performance.now();
      try {
        await options.catchUp();
        // The process may have been suspended again during the read.
        if (performance.now() - startedMs < STILL_MS) break;
      } catch (error) {
        options.onFault(error);
        await pause(AGAIN_AFTER_MS, undefined, { ref: false });
      }
    }
    beatMs = performance.now();
  }

  function catchUp(): Promise<void> {
    catching ??= catchUpAtLast().finally(() => {
      catching = null;
    });
    return catching;
  }

  const wasSuspended = (nowMs: number): boolean => catching !== null || nowMs - beatMs > STILL_MS;
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
