/**
 * The deadline for everything that is done for one question: requests, waits and attempts to correct the SQL.
 */
export interface Deadline {
  /** Aborts at the deadline, or when the caller disconnects. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Resolves after `ms` milliseconds. Rejects when the signal aborts. */
  wait(ms: number): Promise<void>;
  /** Releases the timer and the listener. */
  close(): void;
}

/**
 * Creates a deadline.
 *
 * @param outer the signal of the caller; if it aborts, the deadline aborts with the same reason
 */
export function openDeadline(timeoutMs: number, outer: AbortSignal | null = null): Deadline {
  const controller = new AbortController();
  const endMs = performance.now() + timeoutMs;
  const onOuterAbort = (): void => controller.abort(outer?.reason);
  if (outer?.aborted === true) onOuterAbort();
  outer?.addEventListener('abort', onOuterAbort, { once: true });
  const timer = setTimeout(
    () => controller.abort(new DOMException('the deadline is over', 'TimeoutError')),
    timeoutMs,
  );
  const { signal } = controller;
  return {
    signal,
    remainingMs: () => Math.max(0, endMs - performance.now()),
    wait: (ms) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const onAbort = (): void => {
          clearTimeout(waitTimer);
          reject(signal.reason as Error);
        };
        const waitTimer = setTimeout(() => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        }, ms);
        signal.addEventListener('abort', onAbort, { once: true });
      }),
    close() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuterAbort);
    },
  };
}
