import type { SampleValue } from './types.js';

/**
 * Returns a text by which the widest collations compare a value: without case and without trailing spaces.
 */
export function spellValue(value: Exclude<SampleValue, null>, length: number | null = null): string {
  if (typeof value === 'string')
    return (length === null ? value : value.slice(0, length)).toLowerCase().trimEnd();
  if (typeof value === 'number') return String(value);
  return value instanceof Uint8Array ? value.join(',') : value.text;
}
