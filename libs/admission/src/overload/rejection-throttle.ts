import { setTimeout as pause } from 'node:timers/promises';

/**
 * Delays the rejections for an API key if there are many. Without it, a client that ignores Retry-After and
 * retries immediately would occupy the process with rejections. Delayed rejections are sent one at a time, so
 * that the retries do not arrive together.
 */
export interface RejectionThrottle {
  /**
   * Returns a promise that resolves when the rejection may be sent. Returns null if it may be sent
   * immediately.
   */
  hold(keyId: string): Promise<void> | null;
  /** Removes keys without recent rejections. */
  sweep(): void;
}

/**
 * The number of rejections that a key receives immediately. Later rejections are sent one every
 * `REJECTION_INTERVAL_MS`.
 */
export const IMMEDIATE_REJECTIONS = 20;
export const REJECTION_INTERVAL_MS = 10;
/** The maximum delay of a rejection in milliseconds. */
export const HOLD_MS_MAX = 500;
/** The maximum number of rejections that are delayed at the same time, because each takes memory. */
const HELD_MAX = 2_048;

export function createRejectionThrottle(nowMs: () => number = () => performance.now()): RejectionThrottle {
  /** A leaky bucket for each key: the time at which its next rejection may be sent. */
  const nextMs = new Map<string, number>();
  let held = 0;

  async function wait(holdMs: number): Promise<void> {
    held += 1;
    await pause(holdMs);
    held -= 1;
  }

  return {
    hold(keyId) {
      const now = nowMs();
      const aheadMs = (IMMEDIATE_REJECTIONS - 1) * REJECTION_INTERVAL_MS;
      const dueMs = Math.min(Math.max(nextMs.get(keyId) ?? now, now), now + aheadMs + HOLD_MS_MAX);
      nextMs.set(keyId, dueMs + REJECTION_INTERVAL_MS);
      const holdMs = dueMs - aheadMs - now;
      return holdMs <= 0 || held >= HELD_MAX ? null : wait(holdMs);
    },
    sweep() {
      const now = nowMs();
      for (const [id, ms] of nextMs) if (ms < now) nextMs.delete(id);
    },
  };
}
