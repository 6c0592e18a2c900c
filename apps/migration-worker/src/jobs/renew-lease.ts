import { setMaxListeners } from 'node:events';
import type { Logger } from '@rowhouse/runtime';
import type { HeldLease } from '../worker-context.js';

/**
 * The duration of a lease in milliseconds. A worker that dies is replaced within five seconds, which are the
 * lease and the polling interval in `job-loop.ts`.
 */
export const LEASE_MS = 3_500;
const BEAT_INTERVAL_MS = 800;

/**
 * Renews a lease while `callback` runs. `signal` aborts when another worker has the row, when the
 * platform database has not answered for a whole lease, or when this process is `stopping`. The work
 * must then send no further statement.
 */
export async function renewLease(
  heartbeat: () => Promise<boolean>,
  logger: Logger,
  callback: (lease: HeldLease) => Promise<void>,
  stopping?: AbortSignal,
): Promise<void> {
  const controller = new AbortController();
  // The default limit for listeners is removed, because each statement in progress adds a listener.
  setMaxListeners(0, controller.signal);
  const stop = (): void => controller.abort();
  // The process may have started to stop while the row was claimed.
  if (stopping?.aborted === true) stop();
  stopping?.addEventListener('abort', stop);
  let heldUntilMs = performance.now() + LEASE_MS;
  const assertHeld = (): void => {
    if (performance.now() > heldUntilMs) controller.abort();
    controller.signal.throwIfAborted();
  };
  const timer = setInterval(() => {
    const sentAtMs = performance.now();
    // The lease may have expired, and another worker may then have claimed the row.
    if (sentAtMs > heldUntilMs) controller.abort();
    heartbeat().then(
      (isHeld) => {
        // The lease is counted from when the renewal was sent, because the exact time of the update is
        // unknown.
        if (isHeld) heldUntilMs = Math.max(heldUntilMs, sentAtMs + LEASE_MS);
        else controller.abort();
      },
      (error: unknown) => logger.warn({ err: error }, 'a lease could not be renewed'),
    );
  }, BEAT_INTERVAL_MS);
  try {
    await callback({ signal: controller.signal, assertHeld });
  } finally {
    clearInterval(timer);
    stopping?.removeEventListener('abort', stop);
  }
}
