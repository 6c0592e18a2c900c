const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Made when first used: it takes the browser a while, and most screens begin without it. */
let format: Intl.RelativeTimeFormat | undefined;

/** `3 minutes ago`, `in 2 months`; anything within a minute is `just now` or `in a moment`. Epoch milliseconds. */
export function describeTime(atMs: number, nowMs: number): string {
  const awayMs = atMs - nowMs;
  for (const [unit, lengthMs] of UNITS) {
    if (Math.abs(awayMs) >= lengthMs) return (format ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto' })).format(Math.trunc(awayMs / lengthMs), unit);
  }
  return awayMs > 0 ? 'in a moment' : 'just now';
}

let exact: Intl.DateTimeFormat | undefined;

/** As `toLocaleString` does, which makes a format anew for each time of a long list. */
export function writeExactTime(date: Date): string {
  return (exact ??= new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' })).format(date);
}
