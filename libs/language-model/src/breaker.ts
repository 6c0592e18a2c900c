/** The number of consecutive faults that opens the circuit breaker. */
const FAULTS_MAX = 5;
/** The minimum time in milliseconds for which the open breaker rejects requests. */
const PAUSE_MS = 10_000;
/** The time in milliseconds after which a request that is rejected during a trial may be retried. */
const TRIAL_PAUSE_MS = 1_000;

/**
 * A circuit breaker. After several consecutive faults, requests fail immediately for some time. Then one
 * request at a time is sent as a trial.
 */
export interface Breaker {
  /**
   * Returns how long a request must wait, in milliseconds. If `pauseMs` is 0, send the request and report its
   * outcome. If `isTrial` is true, all other requests are rejected until you do so.
   */
  enter(nowMs: number): { readonly pauseMs: number; readonly isTrial: boolean };
  succeeded(): void;
  failed(nowMs: number, retryAfterMs: number | null): void;
  /** Reports that the trial request was abandoned without a result. The next request becomes the trial. */
  trialAbandoned(): void;
}

export function createBreaker(): Breaker {
  let faults = 0;
  let untilMs: number | null = null;
  let isTrialRunning = false;
  return {
    enter(nowMs) {
      if (untilMs === null) return { pauseMs: 0, isTrial: false };
      if (nowMs < untilMs) return { pauseMs: untilMs - nowMs, isTrial: false };
      if (isTrialRunning) return { pauseMs: TRIAL_PAUSE_MS, isTrial: false };
      isTrialRunning = true;
      return { pauseMs: 0, isTrial: true };
    },
    succeeded() {
      faults = 0;
      untilMs = null;
      isTrialRunning = false;
    },
    failed(nowMs, retryAfterMs) {
      faults += 1;
      if (faults < FAULTS_MAX) return;
      // If the trial fails, this value opens the breaker again immediately.
      faults = FAULTS_MAX - 1;
      untilMs = nowMs + Math.min(60_000, Math.max(PAUSE_MS, retryAfterMs ?? 0));
      isTrialRunning = false;
    },
    trialAbandoned() {
      isTrialRunning = false;
    },
  };
}
