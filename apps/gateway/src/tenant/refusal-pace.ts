import { setTimeout as pause } from 'node:timers/promises';

/**
 * Keeps refusals of a key back for a moment when there are many: a client that asks again at once, whatever it is told,
 * would have the process do little else than refuse. They go out one by one: those who come back at the same moment would
 * be as many requests in one turn of the event loop.
 */
export interface RefusalPace {
  /** Null: the refusal goes out at once. */
  hold(keyId: string): Promise<void> | null;
  /** Forgets keys that were refused nothing lately. */
  sweep(): void;
}

/** So many refusals of a key go out at once, and one more each `INTERVAL_MS`; whatever is told, within `HOLD_MS_MAX`. */
export const REFUSALS_AT_ONCE = 20;
export const INTERVAL_MS = 10;
export const HOLD_MS_MAX = 500;
/** Beyond it nothing is kept back: each takes memory until it is answered. */
const HELD_MAX = 2_048;

export function createRefusalPace(nowMs: () => number = () => performance.now()): RefusalPace {
  /** When the next refusal of a key would go out, had none gone out ahead of its time. */
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
      const aheadMs = (REFUSALS_AT_ONCE - 1) * INTERVAL_MS;
      const dueMs = Math.min(Math.max(nextMs.get(keyId) ?? now, now), now + aheadMs + HOLD_MS_MAX);
      nextMs.set(keyId, dueMs + INTERVAL_MS);
      const holdMs = dueMs - aheadMs - now;
      return holdMs <= 0 || held >= HELD_MAX ? null : wait(holdMs);
    },
    sweep() {
      const now = nowMs();
      for (const [id, ms] of nextMs) if (ms < now) nextMs.delete(id);
    },
  };
}
