/**
 * Stops connects to a server that does not answer, so that its tenants get 503 at once and nobody else waits.
 * Times are monotonic milliseconds handed in by the caller.
 */
export interface Breaker {
  /** Whether a connect would be refused now. */
  isBlocked(nowMs: number): boolean;
  /** Whether a connect may be tried now. While open, one caller per cool-down is let through as a probe. */
  mayTry(nowMs: number): boolean;
  isOpen(): boolean;
  succeeded(): void;
  /** Returns whether the breaker is open after this failure. */
  failed(nowMs: number): boolean;
}

export interface BreakerOptions {
  readonly failuresMax: number;
  readonly coolDownMs: number;
}

export function createBreaker(options: BreakerOptions): Breaker {
  let failures = 0;
  let openUntilMs: number | null = null;
  return {
    isBlocked: (nowMs) => openUntilMs !== null && nowMs < openUntilMs,
    mayTry(nowMs) {
      if (openUntilMs === null) return true;
      if (nowMs < openUntilMs) return false;
      openUntilMs = nowMs + options.coolDownMs;
      return true;
    },
    isOpen: () => openUntilMs !== null,
    succeeded() {
      failures = 0;
      openUntilMs = null;
    },
    failed(nowMs) {
      failures += 1;
      if (failures < options.failuresMax) return false;
      openUntilMs = nowMs + options.coolDownMs;
      return true;
    },
  };
}
