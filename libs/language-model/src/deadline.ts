/** The common deadline of everything that is done for one question: requests, waits and repairs. */
export interface Deadline {
  /** Aborts at the deadline, or when the caller leaves. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Resolves after `ms`, or rejects when the signal aborts. */
  wait(ms: number): Promise<void>;
  close(): void;
}

/**
 * Creates a deadline.
 *
 * @param outer the caller's signal; its reason becomes the error of everything that it aborts
 */
export function openDeadline(timeoutMs: number, outer: AbortSignal | null = null): Deadline {
  const controller = new AbortController();
  const endMs = performance.now() + timeoutMs;
  const onGone = (): void => controller.abort(outer?.reason);
  if (outer?.aborted === true) onGone();
  outer?.addEventListener('abort', onGone, { once: true });
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
          clearTimeout(pause);
          reject(signal.reason as Error);
        };
        const pause = setTimeout(() => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        }, ms);
        signal.addEventListener('abort', onAbort, { once: true });
      }),
    close() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onGone);
    },
  };
}
