import type { BoundValue } from './cell.js';

/** The maximum number of a text's characters that a cursor compares. */
export const JSON_KEY_CHARACTERS = 255;

/** A value inside JSON as a sort key in a cursor. */
export type JsonKey = {
  readonly kind: 'null' | 'number' | 'text' | 'boolean' | 'other';
  readonly text: string;
};

const KINDS = { n: 'number', s: 'text', b: 'boolean', o: 'other' } as const;

/** Parses a cursor's sort key that `toJsonKey` created. */
export function readJsonKey(value: BoundValue): JsonKey {
  if (typeof value !== 'string') return { kind: 'null', text: '' };
  return { kind: KINDS[value.slice(0, 1) as keyof typeof KINDS] ?? 'other', text: value.slice(1) };
}

/**
 * Converts a value inside JSON to a sort key for a cursor, which consists of the value's kind and its text.
 * Returns null for JSON null.
 */
export function toJsonKey(json: string): string | null {
  if (json === 'null') return null;
  if (json === 'true' || json === 'false') return `b${json}`;
  if (json.startsWith('"'))
    return `s${Array.from(String(JSON.parse(json)))
      .slice(0, JSON_KEY_CHARACTERS)
      .join('')}`;
  return /^-?\d/.test(json) ? `n${json}` : 'o';
}
