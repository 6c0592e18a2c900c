const FAULTS_MAX = 5;
const REST_MS = 10_000;
const TRIAL_REST_MS = 1_000;

/**
 * A circuit breaker. After several consecutive faults, requests fail at once for a while. Then one request at
 * a time is tried.
 */
export interface Breaker {
  /**
   * Returns whether a request may be sent. With `restMs` 0, send it and report the outcome. With `isTrial`,
   * other requests wait for that report.
   */
  enter(nowMs: number): { readonly restMs: number; readonly isTrial: boolean };
  succeeded(): void;
  failed(nowMs: number, retryAfterMs: number | null): void;
  /**
   * Reports that the caller of the trial request left without an outcome. The next request becomes the trial.
   */
  trialLeft(): void;
}

export function createBreaker(): Breaker {
  let faults = 0;
  let untilMs: number | null = null;
  let isTried = false;
  return {
    enter(nowMs) {
      if (untilMs === null) return { restMs: 0, isTrial: false };
      if (nowMs < untilMs) return { restMs: untilMs - nowMs, isTrial: false };
      if (isTried) return { restMs: TRIAL_REST_MS, isTrial: false };
      isTried = true;
      return { restMs: 0, isTrial: true };
    },
    succeeded() {
      faults = 0;
      untilMs = null;
      isTried = false;
    },
    failed(nowMs, retryAfterMs) {
      faults += 1;
      if (faults < FAULTS_MAX) return;
      // One more fault of the trial opens the breaker again.
      faults = FAULTS_MAX - 1;
      untilMs = nowMs + Math.min(60_000, Math.max(REST_MS, retryAfterMs ?? 0));
      isTried = false;
    },
    trialLeft() {
      isTried = false;
    },
  };
}
