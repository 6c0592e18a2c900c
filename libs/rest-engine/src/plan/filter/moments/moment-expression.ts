import { DAY_MS, toLocal, toUtc } from './time-zones.js';

/** A time relative to now. */
export type MomentExpression =
  | { readonly kind: 'now' }
  /**
   * The start of the day, month or other unit that contains the time `of`. If `zone` is null, the time zone
   * of `of` is used.
   */
  | {
      readonly kind: 'truncated';
      readonly unit: MomentUnit;
      readonly of: MomentExpression;
      readonly zone: string | null;
    }
  | {
      readonly kind: 'shifted';
      readonly of: MomentExpression;
      readonly count: number;
      readonly unit: MomentUnit;
    };

export const MOMENT_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type MomentUnit = (typeof MOMENT_UNITS)[number];

/**
 * A local time in a time zone. `guard` is the local time in milliseconds since 1970, computed as if it were
 * UTC.
 */
export interface LocalMoment {
  readonly guard: number;
  readonly zone: string;
}

const UTC = 'UTC';
/** The lengths in milliseconds of units that always have the same length. */
const FIXED_MS: Readonly<Partial<Record<MomentUnit, number>>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
};
const MONTHS: Readonly<Partial<Record<MomentUnit, number>>> = { month: 1, quarter: 3, year: 12 };
/** The first and the last year of dates that the servers can compare. */
const [YEAR_MIN, YEAR_MAX] = [1000, 9999];

/**
 * Returns the time that an expression means at the instant `now`. Returns null for a time outside the years
 * 1000 to 9999.
 */
export function evaluateMoment(expression: MomentExpression, now: number): LocalMoment | null {
  switch (expression.kind) {
    case 'now':
      return { guard: now, zone: UTC };
    case 'truncated': {
      const inner = evaluateMoment(expression.of, now);
      if (inner === null) return null;
      const zone = expression.zone ?? inner.zone;
      const guard = zone === inner.zone ? inner.guard : toLocal(toUtc(inner.guard, inner.zone), zone);
      return checkYear({ guard: truncate(guard, expression.unit), zone });
    }
    case 'shifted': {
      const inner = evaluateMoment(expression.of, now);
      return inner === null ? null : checkYear(shift(inner, expression.count, expression.unit));
    }
  }
}

/** Returns the time in UTC, in the form `2026-01-31 13:00:00.000`. */
export function toUtcText({ guard, zone }: LocalMoment): string {
  return toText(toUtc(guard, zone));
}

/** Returns the time in its own time zone, in the form `2026-01-31 13:00:00.000`. */
export function toLocalText({ guard }: LocalMoment): string {
  return toText(guard);
}

function toText(milliseconds: number): string {
  return new Date(milliseconds)
    .toISOString()
    .slice(0, 23)
    .replace('T', ' ')
    .replace(/\.000$/, '');
}

function checkYear(moment: LocalMoment): LocalMoment | null {
  const date = new Date(moment.guard);
  // The first and the last year are excluded, because a time in them may be in another year in another time
  // zone.
  return Number.isFinite(date.getTime()) &&
    date.getUTCFullYear() > YEAR_MIN &&
    date.getUTCFullYear() < YEAR_MAX
    ? moment
    : null;
}

function truncate(guard: number, unit: MomentUnit): number {
  const date = new Date(guard);
  const fixed = FIXED_MS[unit];
  if (fixed !== undefined) return Math.floor(guard / fixed) * fixed;
  const day = Math.floor(guard / DAY_MS) * DAY_MS;
  if (unit === 'day') return day;
  // Weeks start on Mondays, as in ISO 8601.
  if (unit === 'week') return day - ((date.getUTCDay() + 6) % 7) * DAY_MS;
  const months = MONTHS[unit] ?? 1;
  return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months, 1);
}

/**
 * Adds a number of units to a time. Hours and shorter units are elapsed time. Days and longer units follow
 * the calendar of the time zone.
 */
function shift({ guard, zone }: LocalMoment, count: number, unit: MomentUnit): LocalMoment {
  const fixed = FIXED_MS[unit];
  if (fixed !== undefined) return { guard: toLocal(toUtc(guard, zone) + count * fixed, zone), zone };
  if (unit === 'day' || unit === 'week')
    return { guard: guard + count * DAY_MS * (unit === 'week' ? 7 : 1), zone };
  return { guard: addMonths(guard, count * (MONTHS[unit] ?? 1)), zone };
}

/**
 * Adds months to a date. A day that does not exist in the resulting month becomes the last day of this month.
 */
function addMonths(guard: number, months: number): number {
  const date = new Date(guard);
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return (
    first.getTime() +
    (Math.min(date.getUTCDate(), days) - 1) * DAY_MS +
    (guard - Math.floor(guard / DAY_MS) * DAY_MS)
  );
}
