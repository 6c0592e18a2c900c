import type { SampleValue } from './types.js';

/** As the widest collations compare: without case and without spaces at the end. */
export function spellValue(value: Exclude<SampleValue, null>, length: number | null = null): string {
  if (typeof value === 'string') return (length === null ? value : value.slice(0, length)).toLowerCase().trimEnd();
  if (typeof value === 'number') return String(value);
  return value instanceof Uint8Array ? value.join(',') : value.text;
}
