import type { BoundValue } from './cell.js';

/** The maximum number of characters that a cursor compares in a text. */
export const JSON_KEY_CHARACTERS = 255;

/** The key of a value inside JSON, as cursors contain it. */
export type JsonKey = {
  readonly kind: 'null' | 'number' | 'text' | 'boolean' | 'other';
  readonly text: string;
};

const KINDS = { n: 'number', s: 'text', b: 'boolean', o: 'other' } as const;

/** Parses a key written by `toJsonKey`. */
export function readJsonKey(value: BoundValue): JsonKey {
  if (typeof value !== 'string') return { kind: 'null', text: '' };
  return { kind: KINDS[value.slice(0, 1) as keyof typeof KINDS] ?? 'other', text: value.slice(1) };
}

/**
 * Returns a value inside JSON as the key of a cursor, made of its kind and its text. Returns null for JSON
 * null.
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
