/**
 * A circuit breaker for connecting to a server. When it does not respond, its tenants get 503 at once and
 * others are not delayed. Times are monotonic milliseconds supplied by the caller.
 */
export interface Breaker {
  /** Returns whether a connect would be rejected now. */
  isBlocked(nowMs: number): boolean;
  /**
   * Returns whether a connect may be tried now. While the breaker is open, the admitted caller is its probe
   * until it has failed or succeeded.
   */
  mayTry(nowMs: number): boolean;
  isOpen(): boolean;
  succeeded(nowMs: number): void;
  /**
   * Reports that the server responded but rejected the account. This says nothing about its health, so the
   * next caller may try.
   */
  rejected(startedMs: number): void;
  /** Reports a failure of an attempt that started at `startedMs`. Returns whether the breaker is open now. */
  failed(nowMs: number, startedMs: number): boolean;
}

export interface BreakerOptions {
  readonly failuresMax: number;
  readonly coolDownMs: number;
  /**
   * After this time, a silent probe no longer blocks the next one. Its packets may be lost although the
   * server is back.
   */
  readonly probeMsMax: number;
}

export function createBreaker({ failuresMax, coolDownMs, probeMsMax }: BreakerOptions): Breaker {
  let failures = 0;
  let openUntilMs: number | null = null;
  let probeStartedMs: number | null = null;
  let succeededMs = Number.NEGATIVE_INFINITY;

  const isBlocked = (nowMs: number): boolean =>
    openUntilMs !== null &&
    (nowMs < openUntilMs || (probeStartedMs !== null && nowMs < probeStartedMs + probeMsMax));

  const leave = (startedMs: number): void => {
    if (startedMs === probeStartedMs) probeStartedMs = null;
  };

  return {
    isBlocked,
    mayTry(nowMs) {
      if (isBlocked(nowMs)) return false;
      if (openUntilMs !== null) probeStartedMs = nowMs;
      return true;
    },
    isOpen: () => openUntilMs !== null,
    succeeded(nowMs) {
      failures = 0;
      openUntilMs = null;
      probeStartedMs = null;
      succeededMs = nowMs;
    },
    rejected: leave,
    failed(nowMs, startedMs) {
      leave(startedMs);
      // The failed attempt began before the last success.
      if (startedMs < succeededMs) return openUntilMs !== null;
      failures += 1;
      if (failures < failuresMax) return false;
      openUntilMs = nowMs + coolDownMs;
      return true;
    },
  };
}
