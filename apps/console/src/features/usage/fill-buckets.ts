import type { UsageItem } from '@rowhouse/contracts';

const STEP_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export interface Bucket {
  readonly atMs: number;
  readonly requests: number;
  /** The number of failed or rate-limited requests. */
  readonly marked: number;
}

/**
 * Returns one bucket for each minute, hour or day of the period, oldest first. Buckets without requests are
 * included.
 */
export function fillBuckets(
  items: readonly UsageItem[],
  step: keyof typeof STEP_MS,
  from: string,
  to: string,
): Bucket[] {
  const lengthMs = STEP_MS[step];
  const found = new Map(items.map((item) => [Date.parse(item.at), item]));
  const startMs = Math.floor(Date.parse(from) / lengthMs) * lengthMs;
  const buckets: Bucket[] = [];
  for (let atMs = startMs; atMs < Date.parse(to); atMs += lengthMs) {
    const item = found.get(atMs);
    buckets.push({ atMs, requests: item?.requests ?? 0, marked: (item?.errors ?? 0) + (item?.limited ?? 0) });
  }
  return buckets;
}
