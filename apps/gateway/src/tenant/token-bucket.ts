import type { Rate } from '@rowhouse/contracts';

export interface TokensTaken {
  readonly isGranted: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Until one token is there again; 0 when granted. */
  readonly retryAfterSeconds: number;
  /** Until the bucket is full. */
  readonly resetSeconds: number;
}

/** A bucket of `burst` tokens, filled at `per_second`; full at first. The rate comes with each call, since it may change. */
export interface TokenBucket {
  take(rate: Rate, nowMs: number): TokensTaken;
}

export function createTokenBucket(): TokenBucket {
  let tokens = Number.POSITIVE_INFINITY;
  let filledAtMs = 0;
  return {
    take(rate, nowMs) {
      const burst = Math.max(1, rate.burst);
      tokens = Math.min(burst, tokens + (Math.max(0, nowMs - filledAtMs) / 1_000) * rate.per_second);
      filledAtMs = nowMs;
      const isGranted = tokens >= 1;
      if (isGranted) tokens -= 1;
      return {
        isGranted,
        remaining: Math.floor(tokens),
        retryAfterSeconds: isGranted ? 0 : Math.max(1, Math.ceil((1 - tokens) / rate.per_second)),
        resetSeconds: Math.ceil((burst - tokens) / rate.per_second),
      };
    },
  };
}
