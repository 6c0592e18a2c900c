import { setTimeout as pause } from 'node:timers/promises';
import type { GatewayChanges } from '@rowhouse/platform-store';
import type { ChangePublisher } from '@rowhouse/queue';

/** Requests repairs of accounts that a server rejects, at most once a second for each database. */
export interface AccountRepairs {
  /** Resolves when a worker has handled the request, or after a second. Never rejects. */
  await(databaseId: string): Promise<void>;
}

const WAIT_MS_MAX = 1_000;
const CHECK_INTERVAL_MS = 60;

/**
 * Creates the repairs. Each request is sent as a message and written as a row, because the message may be
 * lost.
 */
export function createAccountRepairs(
  publisher: Pick<ChangePublisher, 'requestRepair'>,
  changes: Pick<GatewayChanges, 'requestRepair' | 'isRepairHandled'>,
): AccountRepairs {
  const running = new Map<string, Promise<void>>();

  async function requestRepair(databaseId: string): Promise<void> {
    const endsAtMs = performance.now() + WAIT_MS_MAX;
    try {
      await changes.requestRepair(databaseId);
      void publisher.requestRepair(databaseId);
      while (performance.now() < endsAtMs) {
        await pause(CHECK_INTERVAL_MS);
        if (await changes.isRepairHandled(databaseId)) return;
      }
    } catch {
      // While the platform database is unavailable, no repair can be requested. The next login succeeds or
      // fails as before.
    }
  }

  return {
    await(databaseId) {
      const known = running.get(databaseId);
      if (known !== undefined) return known;
      const repair = requestRepair(databaseId);
      running.set(databaseId, repair);
      setTimeout(() => running.delete(databaseId), WAIT_MS_MAX).unref();
      return repair;
    },
  };
}
