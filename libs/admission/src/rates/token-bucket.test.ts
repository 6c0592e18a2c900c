import { describe, expect, it } from 'vitest';
import { createSharedTokenBucket, type SharedTokenBucket } from './token-bucket.js';

describe('the token bucket', () => {
  const rate = { per_second: 2, burst: 3 };

  it('a token bucket starts full, rejects when empty and refills with time', () => {
    const bucket = createSharedTokenBucket();
    expect([0, 0, 0, 0].map((nowMs) => bucket.take(rate, nowMs).isGranted)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(bucket.take(rate, 400)).toMatchObject({ isGranted: false, retryAfterSeconds: 1 });
    expect(bucket.take(rate, 500)).toMatchObject({ isGranted: true, remaining: 0, resetSeconds: 2 });
    expect([10_000, 10_000, 10_000, 10_000].map((nowMs) => bucket.take(rate, nowMs).isGranted)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('a token bucket grants fewer requests after its rate is lowered', () => {
    const bucket = createSharedTokenBucket();
    bucket.take(rate, 0);
    expect(bucket.take({ per_second: 1, burst: 1 }, 1)).toMatchObject({ isGranted: true, remaining: 0 });
    expect(bucket.take({ per_second: 1, burst: 1 }, 2).isGranted).toBe(false);
  });

  it('two gateways together grant no more requests than one token bucket, after a second', () => {
    const [here, there] = [createSharedTokenBucket(), createSharedTokenBucket()];
    const slow = { per_second: 0.001, burst: 10 };
    for (let iteration = 0; iteration < 9; iteration += 1) here.take(slow, 0);
    expect(there.take(slow, 0).remaining).toBe(9);
    exchange([here, there]);
    expect(there.take(slow, 1).isGranted).toBe(false);
    expect(here.take(slow, 1).isGranted).toBe(false);
  });

  it('a gateway may grant the whole token bucket while no other gateway reports', () => {
    const [here, there] = [createSharedTokenBucket(), createSharedTokenBucket()];
    for (const bucket of [here, there]) bucket.take({ per_second: 0.001, burst: 10 }, 0);
    exchange([here, there]);
    for (let second = 0; second < 2; second += 1) here.settle();
    expect(
      Array.from({ length: 9 }, () => here.take({ per_second: 0.001, burst: 10 }, 2_000).isGranted).filter(
        (isGranted) => isGranted,
      ),
    ).toHaveLength(8);
  });

  it.each([
    ['evenly', [300, 300, 300]],
    ['unevenly', [900, 90, 10]],
    ['at one gateway alone', [600, 0, 0]],
    ['below the rate', [20, 20, 20]],
  ])('gateways together grant exactly the rate when requests are distributed: %s', (_name, requested) => {
    const buckets = requested.map(() => createSharedTokenBucket());
    const fast = { per_second: 100, burst: 50 };
    const granted: number[] = [];
    for (let second = 0; second < 30; second += 1) {
      let count = 0;
      for (let part = 0; part < 100; part += 1) {
        const nowMs = second * 1_000 + part * 10;
        buckets.forEach((bucket, index) => {
          for (
            let iteration = 0;
            iteration <
            Math.round(((requested[index] ?? 0) * (part + 1)) / 100) -
              Math.round(((requested[index] ?? 0) * part) / 100);
            iteration += 1
          )
            if (bucket.take(fast, nowMs).isGranted) count += 1;
        });
      }
      granted.push(count);
      exchange(buckets);
    }
    const expected = requested.reduce((sum, item) => sum + item, 0);
    const total = granted.reduce((sum, item) => sum + item, 0);
    // At first, each gateway has a full bucket of its own. After that, they share the tokens of one bucket.
    expect(total).toBeLessThanOrEqual(
      30 * fast.per_second + requested.length * (fast.burst + fast.per_second),
    );
    expect(total).toBeGreaterThanOrEqual(0.9 * Math.min(30 * expected, 30 * fast.per_second));
    for (const count of granted.slice(5)) expect(count).toBeLessThanOrEqual(1.5 * fast.per_second);
  });
});

/** Exchanges reports between buckets, as gateways do once a second. */
function exchange(buckets: readonly SharedTokenBucket[]): void {
  const reports = buckets.map((bucket) => bucket.settle());
  buckets.forEach((bucket, index) =>
    reports.forEach((report, from) => from !== index && bucket.noteOthers(report)),
  );
}
