const FAULTS_MAX = 5;
const REST_MS = 10_000;

/** After several faults in a row nobody is kept waiting for the next one: for a while there is none. */
export interface Breaker {
  /** 0: ask. */
  restMs(nowMs: number): number;
  succeeded(): void;
  failed(nowMs: number, retryAfterMs: number | null): void;
}

export function createBreaker(): Breaker {
  let faults = 0;
  let untilMs = 0;
  return {
    restMs: (nowMs) => Math.max(0, untilMs - nowMs),
    succeeded() {
      faults = 0;
    },
    failed(nowMs, retryAfterMs) {
      faults += 1;
      if (faults < FAULTS_MAX) return;
      // One request is let through when it is over, and decides.
      faults = FAULTS_MAX - 1;
      untilMs = nowMs + Math.min(60_000, Math.max(REST_MS, retryAfterMs ?? 0));
    },
  };
}
