import type { Rate } from '@rowhouse/contracts';

/** The requests of the last second, in this process or another one. */
export interface BucketReport {
  readonly requested: number;
  readonly granted: number;
}

/**
 * A bucket that holds up to `burst` tokens, refills at `perSecond` and starts full. Each call passes both
 * numbers, because the rate may change. The methods for each request allocate nothing.
 */
export class TokenBucket {
  #tokens = Number.POSITIVE_INFINITY;
  #filledAtMs = 0;
  #requested = 0;
  #granted = 0;

  /** The number of requests since the last `takeReport`. */
  get requested(): number {
    return this.#requested;
  }

  /** The time of the last request, or 0. */
  get filledAtMs(): number {
    return this.#filledAtMs;
  }

  /** The available tokens. Negative when other processes have spent more than there were. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Counts one request, and returns whether it got a token. With `isAllowed` false it never gets one. */
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
   * Returns the seconds, rounded up, until the bucket has this many tokens. Zero or less when it has them.
   */
  secondsUntil(tokens: number, perSecond: number): number {
    return Math.ceil((tokens - this.#tokens) / perSecond);
  }

  /** Removes tokens that another process granted, down to `-overdraftMax`. */
  remove(tokens: number, overdraftMax: number): void {
    this.#tokens = Math.max(-overdraftMax, this.#tokens - tokens);
  }

  /** Returns the requests since the previous call. */
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
  /** The number of whole tokens left. */
  readonly remaining: number;
  /** The time until a token is available, or 0 when granted. */
  readonly retryAfterSeconds: number;
  /** The time until the bucket is full. */
  readonly resetSeconds: number;
}

/**
 * The copy that this gateway has of a shared bucket. Tokens granted by other gateways are removed from the
 * copy, up to a second late. In each second a gateway grants at most its share of the tokens, in proportion
 * to the requests that it received in the previous second. This prevents gateways from granting the same
 * tokens. Without reports from other gateways, the share is the whole bucket.
 */
export interface SharedTokenBucket {
  take(rate: Rate, nowMs: number): TokensTaken;
  /**
   * Returns the requests since the previous call, and starts the next second with a new share. Call it once a
   * second.
   */
  settle(): BucketReport;
  /** Counts the report of another gateway. */
  noteOthers(report: BucketReport): void;
}

/** The minimum share, so that a gateway without earlier requests can serve the first ones. */
const SHARE_MIN = 0.1;

export function createSharedTokenBucket(): SharedTokenBucket {
  const bucket = new TokenBucket();
  let perSecond = 0;
  let overdraftMax = 0;
  /** How many more tokens this gateway may grant in this second. */
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
