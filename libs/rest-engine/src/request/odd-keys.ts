import { decodePercent } from './decode-percent.js';

/**
 * Keys that cannot be a segment of an address as they are: clients take `.` and `..` for steps in the path, escaped or
 * not, and an empty segment names nothing. A comma follows them there, which keys never have unescaped.
 */
const ODD_KEYS: ReadonlySet<string> = new Set(['', '.', '..']);

/** Returns the segment for a key of one column. */
export function encodeOnlyKey(key: string): string {
  return ODD_KEYS.has(key) ? `${key},` : encodeURIComponent(key);
}

/** Returns the key of one column that a segment stands for. */
export function decodeOnlyKey(rawKey: string): string {
  if (!rawKey.endsWith(',')) return decodePercent(rawKey, false);
  const key = decodePercent(rawKey.slice(0, -1), false);
  return ODD_KEYS.has(key) ? key : `${key},`;
}
