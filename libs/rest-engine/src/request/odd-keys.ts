import { decodePercent } from './decode-percent.js';

/**
 * Keys that a path segment cannot contain unchanged. Clients resolve `.` and `..` even when they are escaped,
 * and an empty segment names nothing. Such a key is followed by a comma, which other keys never contain
 * unescaped.
 */
const ODD_KEYS: ReadonlySet<string> = new Set(['', '.', '..']);

/** Returns the path segment of a single-column key. */
export function encodeOnlyKey(key: string): string {
  return ODD_KEYS.has(key) ? `${key},` : encodeURIComponent(key);
}

/** Returns the single-column key for a path segment. */
export function decodeOnlyKey(rawKey: string): string {
  if (!rawKey.endsWith(',')) return decodePercent(rawKey, false);
  const key = decodePercent(rawKey.slice(0, -1), false);
  return ODD_KEYS.has(key) ? key : `${key},`;
}
