/** The number of consecutive faults that opens the breaker. */
const FAULTS_MAX = 5;
/** How long the open breaker rejects requests at least. */
const PAUSE_MS = 10_000;
/** How long a request rejected during a trial should wait before a retry. */
const TRIAL_PAUSE_MS = 1_000;

/**
 * A circuit breaker. After several consecutive faults, requests fail at once for a while. Then one request at
 * a time is tried.
 */
export interface Breaker {
  /**
   * Returns how long a request must wait, in milliseconds. If `pauseMs` is 0, send the request and report its
   * outcome. If `isTrial` is true, other requests are rejected until that report.
   */
  enter(nowMs: number): { readonly pauseMs: number; readonly isTrial: boolean };
  succeeded(): void;
  failed(nowMs: number, retryAfterMs: number | null): void;
  /**
   * Reports that the trial request was abandoned without an outcome. The next request becomes the trial.
   */
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
      // A fault of the trial then opens the breaker again at once.
      faults = FAULTS_MAX - 1;
      untilMs = nowMs + Math.min(60_000, Math.max(PAUSE_MS, retryAfterMs ?? 0));
      isTrialRunning = false;
    },
    trialAbandoned() {
      isTrialRunning = false;
    },
  };
}
