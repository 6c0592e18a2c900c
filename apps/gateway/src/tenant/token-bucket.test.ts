import { describe, expect, it } from 'vitest';
import { createTokenBucket } from './token-bucket.js';

describe('token bucket', () => {
  const rate = { per_second: 2, burst: 3 };

  it('is full at first, runs dry, and fills with time', () => {
    const bucket = createTokenBucket();
    expect([0, 0, 0, 0].map((nowMs) => bucket.take(rate, nowMs).isGranted)).toEqual([true, true, true, false]);
    expect(bucket.take(rate, 400)).toMatchObject({ isGranted: false, retryAfterSeconds: 1 });
    expect(bucket.take(rate, 500)).toMatchObject({ isGranted: true, remaining: 0, resetSeconds: 2 });
    expect([10_000, 10_000, 10_000, 10_000].map((nowMs) => bucket.take(rate, nowMs).isGranted)).toEqual([true, true, true, false]);
  });

  it('follows a rate that is lowered', () => {
    const bucket = createTokenBucket();
    bucket.take(rate, 0);
    expect(bucket.take({ per_second: 1, burst: 1 }, 1)).toMatchObject({ isGranted: true, remaining: 0 });
    expect(bucket.take({ per_second: 1, burst: 1 }, 2).isGranted).toBe(false);
  });
});
