import type { Rate } from '@rowhouse/contracts';

/** The number of requests since the previous report, in this process or another one. */
export interface BucketReport {
  readonly requested: number;
  readonly granted: number;
}

/**
 * A bucket that holds up to `burst` tokens, gains `perSecond` tokens per second and is full at first. Both
 * numbers are passed to each call, because the rate may change. Methods that are called for each request
 * allocate no memory.
 */
export class TokenBucket {
  #tokens = Number.POSITIVE_INFINITY;
  #filledAtMs = 0;
  #requested = 0;
  #granted = 0;

  /** The number of requests since the last call of `takeReport`. */
  get requested(): number {
    return this.#requested;
  }

  /** The time of the last request. It is 0 before the first request. */
  get filledAtMs(): number {
    return this.#filledAtMs;
  }

  /**
   * The number of available tokens. It is negative if other processes have used more tokens than there were.
   */
  get tokens(): number {
    return this.#tokens;
  }

  /** Counts one request, and reports whether it got a token. If `isAllowed` is false, it gets none. */
  take(perSecond: number, burst: number, nowMs: number, isAllowed = true): boolean {
    const elapsedSeconds = Math.max(0, nowMs - this.#filledAtMs) / 1_000;
    this.#tokens = Math.min(burst, this.#tokens + elapsedSeconds * perSecond);
    this.#filledAtMs = nowMs;
    this.#requested += 1;
    if (!isAllowed || this.#tokens < 1) return false;
    this.#tokens -= 1;
    this.#granted += 1;
    return true;
  }

  /**
   * Returns the number of seconds, rounded up, until the bucket has this many tokens. The result is zero or
   * less if it already has them.
   */
  secondsUntil(tokens: number, perSecond: number): number {
    return Math.ceil((tokens - this.#tokens) / perSecond);
  }

  /**
   * Removes tokens that another process has granted. The number of tokens does not go below `-overdraftMax`.
   */
  remove(tokens: number, overdraftMax: number): void {
    this.#tokens = Math.max(-overdraftMax, this.#tokens - tokens);
  }

  /** Returns the number of requests since the previous call. */
  takeReport(): BucketReport {
    const report = { requested: this.#requested, granted: this.#granted };
    this.clearReport();
    return report;
  }

  clearReport(): void {
    this.#requested = 0;
    this.#granted = 0;
  }
}

export interface TokensTaken {
  readonly isGranted: boolean;
  /** The number of complete tokens that are left. */
  readonly remaining: number;
  /** The number of seconds until a token is available. It is 0 if a token was granted. */
  readonly retryAfterSeconds: number;
  /** The number of seconds until the bucket is full. */
  readonly resetSeconds: number;
}

/**
 * This gateway's copy of a token bucket that all gateways share. Tokens that other gateways grant are removed
 * from it up to a second later. So that gateways do not grant the same tokens, each one grants only a share
 * of them in each second. The share is in proportion to the requests that the gateway received in the
 * previous second. Without reports from other gateways, it is the whole bucket.
 */
export interface SharedTokenBucket {
  take(rate: Rate, nowMs: number): TokensTaken;
  /**
   * Returns the number of requests since the previous call, and computes the share for the next second. Call
   * it once a second.
   */
  settle(): BucketReport;
  /** Counts the requests in the report of another gateway. */
  noteOthers(report: BucketReport): void;
}

/** The minimum share of a gateway, so that it can serve the first requests after a second without any. */
const SHARE_MIN = 0.1;

export function createSharedTokenBucket(): SharedTokenBucket {
  const bucket = new TokenBucket();
  let perSecond = 0;
  let overdraftMax = 0;
  /** The number of tokens that this gateway may still grant in this second. */
  let allowed = Number.POSITIVE_INFINITY;
  let othersRequested = 0;
  return {
    take(rate, nowMs) {
      const burst = Math.max(1, rate.burst);
      perSecond = rate.per_second;
      overdraftMax = burst + perSecond;
      const isGranted = bucket.take(perSecond, burst, nowMs, allowed >= 1);
      if (isGranted) allowed -= 1;
      return {
        isGranted,
        remaining: Math.max(0, Math.floor(Math.min(bucket.tokens, allowed))),
        retryAfterSeconds: isGranted ? 0 : Math.max(1, bucket.secondsUntil(1, perSecond)),
        resetSeconds: bucket.secondsUntil(burst, perSecond),
      };
    },
    settle() {
      const report = bucket.takeReport();
      const share = Math.max(SHARE_MIN, report.requested / (report.requested + othersRequested));
      const available = Math.max(0, bucket.tokens) + perSecond;
      allowed = othersRequested === 0 ? Number.POSITIVE_INFINITY : Math.max(1, share * available);
      othersRequested = 0;
      return report;
    },
    noteOthers({ requested, granted }) {
      othersRequested += requested;
      bucket.remove(granted, overdraftMax);
    },
  };
}
