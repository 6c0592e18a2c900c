/**
 * A circuit breaker for connections to a server. While the server does not respond, requests of its tenants
 * get status 503 at once and do not delay other tenants. All times are monotonic milliseconds, which the
 * caller supplies.
 */
export interface Breaker {
  /** Returns whether a connect would be rejected now. */
  isBlocked(nowMs: number): boolean;
  /**
   * Returns whether a connection may be tried now. While the breaker is open, one caller at a time is
   * admitted as a probe, until its attempt has failed or succeeded.
   */
  mayTry(nowMs: number): boolean;
  isOpen(): boolean;
  succeeded(nowMs: number): void;
  /**
   * Reports that the server responded but rejected the account. A rejection does not show whether the server
   * is healthy, so the next caller may try.
   */
  rejected(startedMs: number): void;
  /** Reports a failure of an attempt that started at `startedMs`. Returns whether the breaker is open now. */
  failed(nowMs: number, startedMs: number): boolean;
}

export interface BreakerOptions {
  readonly failuresMax: number;
  readonly coolDownMs: number;
  /**
   * How long a probe without a response blocks the next probe. Its packets may be lost even though the server
   * is reachable again.
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
      // The failed attempt began before the last success, so it is ignored.
      if (startedMs < succeededMs) return openUntilMs !== null;
      failures += 1;
      if (failures < failuresMax) return false;
      openUntilMs = nowMs + coolDownMs;
      return true;
    },
  };
}
