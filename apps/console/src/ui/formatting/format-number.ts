const BYTE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

const SHORT_UNITS = ['', 'K', 'M', 'B', 'T'] as const;

/**
 * Formats a whole number, such as `12,345`. Intl is not used, because a phone must first load its data from
 * storage.
 */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns `1 row` or `12,345 rows`. `several` is the plural if it is not formed with an s. */
export function formatCountOf(count: number, item: string, several = `${item}s`): string {
  return `${formatCount(count)} ${count === 1 ? item : several}`;
}

/** Formats a number in short form, such as `12.3K`. */
export function formatShortCount(count: number): string {
  let value = count;
  let unit = 0;
  while (roundToTenth(value) >= 1_000 && unit < SHORT_UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${roundToTenth(value)}${SHORT_UNITS[unit]}`;
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Formats a number of bytes, such as `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < BYTE_UNITS.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${BYTE_UNITS[unit]}`;
}

/** Formats a duration, such as `0.8 ms`, `12 ms` or `1.25 s`. */
export function formatMilliseconds(ms: number): string {
  if (ms >= 1_000) return `${Math.round(ms / 10) / 100} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${Math.round(ms * 10) / 10} ms`;
}
