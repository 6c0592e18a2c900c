import { setTimeout as pause } from 'node:timers/promises';

/**
 * Delays rejections of a key when there are many. A client that retries at once, despite Retry-After, would
 * make the process spend its time on rejections. Delayed rejections are sent one by one. Otherwise, clients
 * that retry at the same moment would all arrive in one iteration of the event loop.
 */
export interface RejectionThrottle {
  /** Returns null when the rejection is to be sent immediately. */
  hold(keyId: string): Promise<void> | null;
  /** Forgets keys without recent rejections. */
  sweep(): void;
}

/**
 * The number of immediate rejections per key. After that, one is sent each `REJECTION_INTERVAL_MS`. No rejection waits
 * longer than `HOLD_MS_MAX`.
 */
export const IMMEDIATE_REJECTIONS = 20;
export const REJECTION_INTERVAL_MS = 10;
export const HOLD_MS_MAX = 500;
/** Beyond this number rejections are not delayed, because each takes memory until it is sent. */
const HELD_MAX = 2_048;

export function createRejectionThrottle(nowMs: () => number = () => performance.now()): RejectionThrottle {
  /** The time at which the next rejection of each key would be sent if none had been sent early. */
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
