import { MINUTE_MS } from '@rowhouse/contracts/constants';

/** The time ranges for lists of events. */
export const TIME_RANGES = {
  '15m': { label: 'Last 15 minutes', lengthMs: 15 * MINUTE_MS },
  '1h': { label: 'Last hour', lengthMs: 60 * MINUTE_MS },
  '24h': { label: 'Last 24 hours', lengthMs: 24 * 60 * MINUTE_MS },
  '7d': { label: 'Last 7 days', lengthMs: 7 * 24 * 60 * MINUTE_MS },
  '30d': { label: 'Last 30 days', lengthMs: 30 * 24 * 60 * MINUTE_MS },
} as const;

export type TimeRange = keyof typeof TIME_RANGES;

export function isTimeRange(value: unknown): value is TimeRange {
  return typeof value === 'string' && Object.hasOwn(TIME_RANGES, value);
}

/** Returns the start of a range in full minutes, so that repeated requests are equal. */
export function toRangeStart(range: TimeRange, nowMs: number): string {
  const startMs = nowMs - TIME_RANGES[range].lengthMs;
  return new Date(startMs - (startMs % MINUTE_MS)).toISOString();
}
