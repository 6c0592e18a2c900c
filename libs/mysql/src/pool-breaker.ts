/**
 * Stops connects to a server that does not answer, so that its tenants get 503 at once and nobody else waits.
 * Times are monotonic milliseconds handed in by the caller.
 */
export interface Breaker {
  /** Whether a connect would be refused now. */
  isBlocked(nowMs: number): boolean;
  /** Whether a connect may be tried now. Who is told so while the breaker is open is its probe, until it has failed or succeeded. */
  mayTry(nowMs: number): boolean;
  isOpen(): boolean;
  succeeded(nowMs: number): void;
  /** What began at `begunMs` was answered, and refused for the account's sake: says nothing of the server, and lets the next one try. */
  refused(begunMs: number): void;
  /** Returns whether the breaker is open after this failure of what began at `begunMs`. */
  failed(nowMs: number, begunMs: number): boolean;
}

export interface BreakerOptions {
  readonly failuresMax: number;
  readonly coolDownMs: number;
  /** A probe that has been silent for so long stands in nobody's way: what it was sent may be lost, though the server is back. */
  readonly probeMsMax: number;
}

export function createBreaker({ failuresMax, coolDownMs, probeMsMax }: BreakerOptions): Breaker {
  let failures = 0;
  let openUntilMs: number | null = null;
  let probeBegunMs: number | null = null;
  let succeededMs = Number.NEGATIVE_INFINITY;

  const isBlocked = (nowMs: number): boolean =>
    openUntilMs !== null && (nowMs < openUntilMs || (probeBegunMs !== null && nowMs < probeBegunMs + probeMsMax));

  const leave = (begunMs: number): void => {
    if (begunMs === probeBegunMs) probeBegunMs = null;
  };

  return {
    isBlocked,
    mayTry(nowMs) {
      if (isBlocked(nowMs)) return false;
      if (openUntilMs !== null) probeBegunMs = nowMs;
      return true;
    },
    isOpen: () => openUntilMs !== null,
    succeeded(nowMs) {
      failures = 0;
      openUntilMs = null;
      probeBegunMs = null;
      succeededMs = nowMs;
    },
    refused: leave,
    failed(nowMs, begunMs) {
      leave(begunMs);
      // It tells of the time before the server was back.
      if (begunMs < succeededMs) return openUntilMs !== null;
      failures += 1;
      if (failures < failuresMax) return false;
      openUntilMs = nowMs + coolDownMs;
      return true;
    },
  };
}
