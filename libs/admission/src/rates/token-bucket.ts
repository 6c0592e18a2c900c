import type { Rate } from '@rowhouse/contracts';

/** The requests of the last second, in this process or another one. */
export interface BucketReport {
  readonly asked: number;
  readonly granted: number;
}

/**
 * A bucket that holds up to `burst` tokens, refills at `perSecond` and starts full. Both are passed with each
 * call, because a rate may change. It allocates nothing.
 */
export class TokenBucket {
  #tokens = Number.POSITIVE_INFINITY;
  #filledAtMs = 0;
  #asked = 0;
  #granted = 0;

  /** The number of requests since the last `takeReport`. */
  get asked(): number {
    return this.#asked;
  }

  /** The time of the last request, or 0. */
  get filledAtMs(): number {
    return this.#filledAtMs;
  }

  /** The available tokens. Negative when other processes have spent more than there were. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Counts one request, and returns whether it got a token. None is taken with `isAllowed` false. */
  take(perSecond: number, burst: number, nowMs: number, isAllowed = true): boolean {
    const elapsedSeconds = Math.max(0, nowMs - this.#filledAtMs) / 1_000;
    this.#tokens = Math.min(burst, this.#tokens + elapsedSeconds * perSecond);
    this.#filledAtMs = nowMs;
    this.#asked += 1;
    if (!isAllowed || this.#tokens < 1) return false;
    this.#tokens -= 1;
    this.#granted += 1;
    return true;
  }

  /** Returns the whole seconds until the bucket has this many tokens. Not positive when it has them already. */
  secondsUntil(tokens: number, perSecond: number): number {
    return Math.ceil((tokens - this.#tokens) / perSecond);
  }

  /** Removes tokens that another process granted, down to `-overdraftMax`. */
  remove(tokens: number, overdraftMax: number): void {
    this.#tokens = Math.max(-overdraftMax, this.#tokens - tokens);
  }

  /** Returns the requests since the previous call. */
  takeReport(): BucketReport {
    const report = { asked: this.#asked, granted: this.#granted };
    this.clearReport();
    return report;
  }

  clearReport(): void {
    this.#asked = 0;
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
 * One bucket for several gateways. Each gateway has a part of it, and together they act as one. Tokens granted
 * by other gateways are removed from this part, up to a second late. In each second, a part grants at most its
 * share of the tokens, in proportion to the requests it received in the previous second. This prevents several
 * gateways from spending the same tokens. Without reports from other gateways the share is everything.
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
  /** The number of available tokens that may be granted in this second. */
  let allowed = Number.POSITIVE_INFINITY;
  let othersAsked = 0;
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
      const share = Math.max(SHARE_MIN, report.asked / (report.asked + othersAsked));
      const available = Math.max(0, bucket.tokens) + perSecond;
      allowed = othersAsked === 0 ? Number.POSITIVE_INFINITY : Math.max(1, share * available);
      othersAsked = 0;
      return report;
    },
    noteOthers({ asked, granted }) {
      othersAsked += asked;
      bucket.remove(granted, overdraftMax);
    },
  };
}
