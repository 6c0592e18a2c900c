import type { UsageStep } from '../../data/telemetry/queries.js';

/** The periods of the usage page, with the length of each bar. */
export const USAGE_SPANS = {
  '3h': { label: '3 hours', step: 'minute', lengthMs: 3 * 3_600_000, days: 1 },
  '24h': { label: '24 hours', step: 'hour', lengthMs: 24 * 3_600_000, days: 2 },
  '7d': { label: '7 days', step: 'hour', lengthMs: 7 * 86_400_000, days: 7 },
  '30d': { label: '30 days', step: 'day', lengthMs: 30 * 86_400_000, days: 30 },
} as const satisfies Record<string, { label: string; step: UsageStep; lengthMs: number; days: number }>;

export type UsageSpan = keyof typeof USAGE_SPANS;

export function isUsageSpan(value: unknown): value is UsageSpan {
  return typeof value === 'string' && Object.hasOwn(USAGE_SPANS, value);
}
