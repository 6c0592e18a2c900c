import type { BoundValue } from './cell.js';

/** A value converted for its column, or the reason for rejecting it. */
export type Coerced =
  | { readonly kind: 'value'; readonly value: BoundValue }
  | { readonly kind: 'refused'; readonly msg: string; readonly type: string; readonly hint?: string };

/**
 * The use of a value. With `write`, the column must be able to store it. With `filter`, it must have the
 * column's type, but may be a value that the column cannot store, which matches nothing. With `key`, it must
 * have the strict form of an identifier.
 */
export type Purpose = 'write' | 'filter' | 'key';

export function fits(value: BoundValue): Coerced {
  return { kind: 'value', value };
}

export function reject(msg: string, type: string, hint?: string): Coerced & { readonly kind: 'refused' } {
  return hint === undefined ? { kind: 'refused', msg, type } : { kind: 'refused', msg, type, hint };
}
