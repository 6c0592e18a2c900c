import { setTimeout as pause } from 'node:timers/promises';

/**
 * Keeps refusals of a key back for a moment when there are many: a client that asks again at once, whatever it is told,
 * would have the process do little else than refuse.
 */
export interface RefusalPace {
  /** Null: the refusal goes out at once. */
  hold(keyId: string): Promise<void> | null;
  /** Forgets keys that were refused nothing lately. */
  sweep(): void;
}

/** So many refusals of a key in a second go out at once, as many after `HOLD_MS`, as many after twice that, and so on up to `HOLD_MS_MAX`. */
export const REFUSALS_AT_ONCE = 20;
export const HOLD_MS = 100;
export const HOLD_MS_MAX = 500;
const WINDOW_MS = 1_000;
/** Beyond it nothing is kept back: each takes memory until it is answered. */
const HELD_MAX = 2_048;

export function createRefusalPace(): RefusalPace {
  const keys = new Map<string, { sinceMs: number; count: number }>();
  let held = 0;

  async function wait(count: number): Promise<void> {
    held += 1;
    await pause(Math.min(HOLD_MS_MAX, HOLD_MS * Math.floor((count - 1) / REFUSALS_AT_ONCE)));
    held -= 1;
  }

  return {
    hold(keyId) {
      const nowMs = performance.now();
      let key = keys.get(keyId);
      if (key === undefined || nowMs - key.sinceMs >= WINDOW_MS) keys.set(keyId, (key = { sinceMs: nowMs, count: 0 }));
      key.count += 1;
      return key.count <= REFUSALS_AT_ONCE || held >= HELD_MAX ? null : wait(key.count);
    },
    sweep() {
      const beforeMs = performance.now() - WINDOW_MS;
      for (const [id, { sinceMs }] of keys) if (sinceMs < beforeMs) keys.delete(id);
    },
  };
}
