const FAULTS_MAX = 5;
const REST_MS = 10_000;
const TRIAL_REST_MS = 1_000;

/** After several faults in a row nobody is kept waiting for the next one: for a while there is none. Then one request at a time tries. */
export interface Breaker {
  /** `restMs` 0: ask, and tell how it went. `isTrial`: the others rest until that is told. */
  enter(nowMs: number): { readonly restMs: number; readonly isTrial: boolean };
  succeeded(): void;
  failed(nowMs: number, retryAfterMs: number | null): void;
  /** The trial's caller is gone, and nobody knows how it went: the next one is the trial. */
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
      // The trial decides: its fault is as good as all of those before.
      faults = FAULTS_MAX - 1;
      untilMs = nowMs + Math.min(60_000, Math.max(REST_MS, retryAfterMs ?? 0));
      isTried = false;
    },
    trialLeft() {
      isTried = false;
    },
  };
}
