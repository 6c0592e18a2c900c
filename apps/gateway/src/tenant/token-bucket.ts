import type { Rate } from '@rowhouse/contracts';

export interface TokensTaken {
  readonly isGranted: boolean;
  /** The number of whole tokens left. */
  readonly remaining: number;
  /** The time until a token is available, or 0 when granted. */
  readonly retryAfterSeconds: number;
  /** The time until the bucket is full. */
  readonly resetSeconds: number;
}

/** The requests of the last second, in this gateway or another one. */
export interface BucketReport {
  readonly asked: number;
  readonly granted: number;
}

/**
 * A bucket of `burst` tokens that refills at `per_second` and starts full. The rate is passed with each call,
 * because it may change.
 *
 * Each gateway has a bucket, and together they act as one. Tokens granted by other gateways are removed from
 * this bucket, up to a second late. In each second, a bucket grants at most its share of the tokens, in
 * proportion to the requests it received in the previous second. This prevents several gateways from spending
 * the same tokens. Without reports from other gateways the share is everything.
 */
export interface TokenBucket {
  take(rate: Rate, nowMs: number): TokensTaken;
  /**
   * Returns the requests since the previous call, and starts the next second with a new share. Call it once a
   * second.
   */
  settle(): BucketReport;
  /** Takes in the report of another gateway. */
  noteOthers(report: BucketReport): void;
}

/** The minimum share, so that a gateway without earlier requests can serve the first ones. */
const SHARE_MIN = 0.1;

export function createTokenBucket(): TokenBucket {
  let tokens = Number.POSITIVE_INFINITY;
  let filledAtMs = 0;
  let perSecond = 0;
  let debtMax = 0;
  /** The number of available tokens that may be granted in this second. */
  let allowed = Number.POSITIVE_INFINITY;
  let own = { asked: 0, granted: 0 };
  let othersAsked = 0;
  return {
    take(rate, nowMs) {
      const burst = Math.max(1, rate.burst);
      tokens = Math.min(burst, tokens + (Math.max(0, nowMs - filledAtMs) / 1_000) * rate.per_second);
      filledAtMs = nowMs;
      perSecond = rate.per_second;
      debtMax = burst + perSecond;
      const isGranted = tokens >= 1 && allowed >= 1;
      own.asked += 1;
      if (isGranted) {
        own.granted += 1;
        tokens -= 1;
        allowed -= 1;
      }
      return {
        isGranted,
        remaining: Math.max(0, Math.floor(Math.min(tokens, allowed))),
        retryAfterSeconds: isGranted ? 0 : Math.max(1, Math.ceil((1 - tokens) / rate.per_second)),
        resetSeconds: Math.ceil((burst - tokens) / rate.per_second),
      };
    },
    settle() {
      const report = own;
      const share = Math.max(SHARE_MIN, report.asked / (report.asked + othersAsked));
      allowed =
        othersAsked === 0 ? Number.POSITIVE_INFINITY : Math.max(1, share * (Math.max(0, tokens) + perSecond));
      own = { asked: 0, granted: 0 };
      othersAsked = 0;
      return report;
    },
    noteOthers({ asked: requestCount, granted }) {
      othersAsked += requestCount;
      tokens = Math.max(-debtMax, tokens - granted);
    },
  };
}
