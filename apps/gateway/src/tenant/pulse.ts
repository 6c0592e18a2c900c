import { setTimeout as pause } from 'node:timers/promises';

/**
 * Notices that this process has stood still: stopped, or moved with its machine. Meanwhile its lease ran out, so that a
 * worker did not wait for it, and what it knows of schemas may name columns that mean something else by now.
 */
export interface Pulse {
  /** Whether the process has stood still and has not yet caught up. No I/O. */
  hasStoodStill(nowMs: number): boolean;
  /** Whether it has caught up, within two seconds. */
  caughtUp(): Promise<boolean>;
  stop(): void;
}

export interface PulseOptions {
  /** Reads what was missed and takes it in. Rejects while it cannot be read. */
  readonly catchUp: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

const BEAT_INTERVAL_MS = 250;
/** Well below what a lease that was written a moment before still has. */
const STILL_MS = 2_000;
const WAIT_MS = 2_000;
const AGAIN_AFTER_MS = 100;

export function startPulse(options: PulseOptions): Pulse {
  let beatMs = performance.now();
  let catching: Promise<void> | null = null;
  let isStopped = false;

  async function catchUpAtLast(): Promise<void> {
    while (!isStopped) {
      const startedMs = performance.now();
      try {
        await options.catchUp();
        // It may have stood still again meanwhile.
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

  const hasStoodStill = (nowMs: number): boolean => catching !== null || nowMs - beatMs > STILL_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    if (hasStoodStill(nowMs)) void catchUp();
    else beatMs = nowMs;
  }, BEAT_INTERVAL_MS);
  return {
    hasStoodStill,
    caughtUp: () => Promise.race([catchUp().then(() => true), pause(WAIT_MS, false, { ref: false })]),
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
