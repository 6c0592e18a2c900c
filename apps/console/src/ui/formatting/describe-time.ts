const UNITS = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** The texts for a time that is one unit away, such as `next year` instead of `in 1 year`. */
const NEXT: Readonly<Record<string, readonly [before: string, after: string]>> = {
  year: ['last year', 'next year'],
  month: ['last month', 'next month'],
  day: ['yesterday', 'tomorrow'],
};

/**
 * Describes a time relative to now, such as `3 minutes ago` or `in 2 months`. Within a minute, it returns
 * `just now` or `in a moment`. Times are epoch milliseconds. Intl is not used, because a phone must first
 * load its data from storage.
 */
export function describeTime(atMs: number, nowMs: number): string {
  const awayMs = atMs - nowMs;
  const found = UNITS.find(([, lengthMs]) => Math.abs(awayMs) >= lengthMs);
  if (found === undefined) return awayMs > 0 ? 'in a moment' : 'just now';
  const [unit, lengthMs] = found;
  const count = Math.trunc(Math.abs(awayMs) / lengthMs);
  const words = NEXT[unit];
  if (count === 1 && words !== undefined) return words[awayMs > 0 ? 1 : 0];
  const length = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return awayMs > 0 ? `in ${length}` : `${length} ago`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/**
 * Formats a date in local time, such as `Dec 3, 2026`. Intl is not used, because a phone must first load its
 * data from storage.
 */
export function writeDay(date: Date): string {
  return `${MONTHS[date.getMonth()] ?? ''} ${date.getDate()}, ${date.getFullYear()}`;
}

/** Formats a time of day, as `09:05` or `09:05:07`. */
export function writeClock(date: Date, hasSeconds = false): string {
  return [date.getHours(), date.getMinutes(), ...(hasSeconds ? [date.getSeconds()] : [])]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Formats a date and time, as `Dec 3, 2026, 09:05:07`. */
export function writeExactTime(date: Date): string {
  return `${writeDay(date)}, ${writeClock(date, true)}`;
}
