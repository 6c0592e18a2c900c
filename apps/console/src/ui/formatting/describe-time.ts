const UNITS = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** The wording for one unit away, instead of `in 1 day`. */
const NEXT: Readonly<Record<string, readonly [before: string, after: string]>> = {
  year: ['last year', 'next year'],
  month: ['last month', 'next month'],
  day: ['yesterday', 'tomorrow'],
};

/**
 * Returns `3 minutes ago` or `in 2 months`, and `just now` or `in a moment` within a minute. Times are epoch
 * milliseconds. Does not use Intl, whose data a phone must first load from storage.
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

/** Returns `3 Dec 2026` in local time, without Intl for the same reason. */
export function writeDay(date: Date): string {
  return `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''} ${date.getFullYear()}`;
}

/** Returns `09:05` or `09:05:07`. */
export function writeClock(date: Date, hasSeconds = false): string {
  return [date.getHours(), date.getMinutes(), ...(hasSeconds ? [date.getSeconds()] : [])]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Returns `3 Dec 2026, 09:05:07`. */
export function writeExactTime(date: Date): string {
  return `${writeDay(date)}, ${writeClock(date, true)}`;
}
