/**
 * Calls a function when a deadline has passed. One timer serves many deadlines, because nearly all of them
 * are cleared before they pass.
 */
export interface Watchdog {
  /** Sets a deadline, which replaces the previous one. `nowMs` is a monotonic time. */
  watch(nowMs: number, timeoutMs: number): void;
  lift(): void;
}

export function createWatchdog(onLate: () => void): Watchdog {
  let deadlineMs = Number.POSITIVE_INFINITY;
  let firesAtMs = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function arm(nowMs: number): void {
    clearTimeout(timer);
    firesAtMs = deadlineMs;
    timer = setTimeout(checkDeadline, Math.max(1, Math.ceil(deadlineMs - nowMs)));
    timer.unref();
  }

  function checkDeadline(): void {
    firesAtMs = Number.POSITIVE_INFINITY;
    if (deadlineMs === Number.POSITIVE_INFINITY) return;
    const nowMs = performance.now();
    if (nowMs < deadlineMs) return arm(nowMs);
    deadlineMs = Number.POSITIVE_INFINITY;
    onLate();
  }

  return {
    watch(nowMs, timeoutMs) {
      deadlineMs = nowMs + timeoutMs;
      if (deadlineMs < firesAtMs) arm(nowMs);
    },
    lift() {
      deadlineMs = Number.POSITIVE_INFINITY;
    },
  };
}
