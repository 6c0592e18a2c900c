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

/** What came in the last second, here or at another gateway. */
export interface BucketReport {
  readonly asked: number;
  readonly granted: number;
}

/**
 * A bucket of `burst` tokens, filled at `per_second`; full at first. The rate comes with each call, since it may change.
 *
 * Each gateway has one, and they stand for one bucket: what others have granted is taken out of this one too, a second
 * late. So that several gateways do not spend the same second's tokens each, this one spends in a second no more than
 * its share of them, by what it was asked the second before. Alone, or without news of others, its share is all.
 */
export interface TokenBucket {
  take(rate: Rate, nowMs: number): TokensTaken;
  /** Once a second: what was asked since the last time; begins the next second with a share by what others reported. */
  settle(): BucketReport;
  /** What another gateway has reported. */
  noteOthers(report: BucketReport): void;
}

/** A gateway that was not asked yet may serve the first that come. */
const SHARE_MIN = 0.1;

export function createTokenBucket(): TokenBucket {
  let tokens = Number.POSITIVE_INFINITY;
  let filledAtMs = 0;
  let perSecond = 0;
  let debtMax = 0;
  /** Of the tokens that are there, how many may go in this second. */
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
      allowed = othersAsked === 0 ? Number.POSITIVE_INFINITY : Math.max(1, share * (Math.max(0, tokens) + perSecond));
      own = { asked: 0, granted: 0 };
      othersAsked = 0;
      return report;
    },
    noteOthers({ asked, granted }) {
      othersAsked += asked;
      tokens = Math.max(-debtMax, tokens - granted);
    },
  };
}
