// Made when first used: it takes the browser a while, and most screens begin without them.
let counts: Intl.NumberFormat | undefined;
let shortCounts: Intl.NumberFormat | undefined;
const BYTE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `12,345` */
export function formatCount(count: number): string {
  return (counts ??= new Intl.NumberFormat('en')).format(count);
}

/** `12.3K` */
export function formatShortCount(count: number): string {
  return (shortCounts ??= new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })).format(count);
}

/** `1.5 GiB` */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < BYTE_UNITS.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${BYTE_UNITS[unit]}`;
}

/** `0.8 ms`, `12 ms`, `1.25 s` */
export function formatMilliseconds(ms: number): string {
  if (ms >= 1_000) return `${Math.round(ms / 10) / 100} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${Math.round(ms * 10) / 10} ms`;
}
