import type { Logger } from '@rowhouse/runtime';
import type { HeldLease } from '../worker-context.js';

export const LEASE_MS = 10_000;
const BEAT_INTERVAL_MS = 2_000;

/**
 * Renews a lease while `work` runs. When the row is someone else's, or the platform database has not answered for a
 * whole lease, `signal` aborts: whatever still runs must send nothing more.
 */
export async function keepLease(beat: () => Promise<boolean>, logger: Logger, work: (lease: HeldLease) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  let heldUntil = performance.now() + LEASE_MS;
  const timer = setInterval(() => {
    beat().then(
      (isHeld) => {
        if (isHeld) heldUntil = performance.now() + LEASE_MS;
        else controller.abort();
      },
      (error: unknown) => {
        logger.warn({ err: error }, 'a lease could not be renewed');
        if (performance.now() > heldUntil) controller.abort();
      },
    );
  }, BEAT_INTERVAL_MS);
  try {
    await work({ signal: controller.signal });
  } finally {
    clearInterval(timer);
  }
}
