import { setTimeout as pause } from 'node:timers/promises';

/** Asks workers to repair accounts that a server refuses: one request a second for each database at most. */
export interface AccountRepairs {
  /** Resolves when a worker has answered, or after a second. Never rejects. */
  await(databaseId: string): Promise<void>;
}

export interface AccountRepairOptions {
  /** By message and by row. */
  readonly request: (databaseId: string) => Promise<void>;
  readonly isHandled: (databaseId: string) => Promise<boolean>;
}

const WAIT_MS_MAX = 1_000;
const LOOK_INTERVAL_MS = 60;

export function createAccountRepairs({ request, isHandled }: AccountRepairOptions): AccountRepairs {
  const running = new Map<string, Promise<void>>();

  async function ask(databaseId: string): Promise<void> {
    const endsAtMs = performance.now() + WAIT_MS_MAX;
    try {
      await request(databaseId);
      while (performance.now() < endsAtMs) {
        await pause(LOOK_INTERVAL_MS);
        if (await isHandled(databaseId)) return;
      }
    } catch {
      // Without the platform database nothing is repaired: the next login shows.
    }
  }

  return {
    await(databaseId) {
      const known = running.get(databaseId);
      if (known !== undefined) return known;
      const asked = ask(databaseId);
      running.set(databaseId, asked);
      setTimeout(() => running.delete(databaseId), WAIT_MS_MAX).unref();
      return asked;
    },
  };
}
