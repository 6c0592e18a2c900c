import { setMaxListeners } from 'node:events';
import type { Logger } from '@rowhouse/runtime';
import type { HeldLease } from '../worker-context.js';

/** A worker that dies is followed within five seconds: its lease, and the interval at which others look (`job-loop.ts`). */
export const LEASE_MS = 3_500;
const BEAT_INTERVAL_MS = 800;

/**
 * Renews a lease while `work` runs. When the row is someone else's, or the platform database has not answered for a
 * whole lease, `signal` aborts: whatever still runs must send nothing more. So it does when this process is `stopping`.
 */
export async function keepLease(beat: () => Promise<boolean>, logger: Logger, work: (lease: HeldLease) => Promise<void>, stopping?: AbortSignal): Promise<void> {
  const controller = new AbortController();
  // Each statement that is under way listens.
  setMaxListeners(0, controller.signal);
  const stop = (): void => controller.abort();
  // It may have begun to stop while the row was claimed.
  if (stopping?.aborted === true) stop();
  stopping?.addEventListener('abort', stop);
  let heldUntilMs = performance.now() + LEASE_MS;
  const assertHeld = (): void => {
    if (performance.now() > heldUntilMs) controller.abort();
    controller.signal.throwIfAborted();
  };
  const timer = setInterval(() => {
    const sentAtMs = performance.now();
    // Whether earlier beats were refused or hang: the row may be someone else's by now.
    if (sentAtMs > heldUntilMs) controller.abort();
    beat().then(
      (isHeld) => {
        // From when it was sent: how long the answer took, nobody knows of the row.
        if (isHeld) heldUntilMs = Math.max(heldUntilMs, sentAtMs + LEASE_MS);
        else controller.abort();
      },
      (error: unknown) => logger.warn({ err: error }, 'a lease could not be renewed'),
    );
  }, BEAT_INTERVAL_MS);
  try {
    await work({ signal: controller.signal, assertHeld });
  } finally {
    clearInterval(timer);
    stopping?.removeEventListener('abort', stop);
  }
}
