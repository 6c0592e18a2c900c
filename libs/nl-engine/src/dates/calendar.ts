/** A calendar date without a time zone, as the number of days since 1970-01-01. */
export type DayNumber = number;

const DAY_MS = 86_400_000;

/** Returns the number of days from 1970-01-01 to a date of the Gregorian calendar. */
export function toDayNumber(year: number, month: number, day: number): DayNumber {
  return Math.round(Date.UTC(year, month - 1, day) / DAY_MS);
}

export interface DayParts {
  readonly year: number;
  /** The month, from 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** Returns the year, the month and the day of a date. Months are counted from 1. */
export function toDayParts(day: DayNumber): DayParts {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Formats a date in the form `2026-03-05`. */
export function formatDay(day: DayNumber): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Parses a date of the form `2026-03-05`. Returns null if the text is not a valid date. */
export function parseDay(text: string): DayNumber | null {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const found = toDayNumber(year, month, day);
  const parts = toDayParts(found);
  return parts.month === month && parts.day === day ? found : null;
}

export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/**
 * Returns the first day of the week, month or other unit around `day`, moved by `by` units. Weeks start on
 * Monday.
 */
export function startOf(day: DayNumber, unit: Unit, by = 0): DayNumber {
  const { year, month } = toDayParts(day);
  switch (unit) {
    case 'day':
      return day + by;
    case 'week':
      return day - ((day + 3) % 7) + 7 * by;
    case 'month':
      return toDayNumber(year, month + by, 1);
    case 'quarter':
      return toDayNumber(year, month - ((month - 1) % 3) + 3 * by, 1);
    case 'year':
      return toDayNumber(year + by, 1, 1);
  }
}

/**
 * Returns the date that is `by` units after `day`. If the resulting month is too short, this is its last day.
 */
export function moveDay(day: DayNumber, unit: Unit, by: number): DayNumber {
  if (unit === 'day' || unit === 'week') return day + by * (unit === 'week' ? 7 : 1);
  const months = by * (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12);
  const parts = toDayParts(day);
  const first = toDayNumber(parts.year, parts.month + months, 1);
  const last = startOf(first, 'month', 1) - 1;
  return Math.min(first + parts.day - 1, last);
}
