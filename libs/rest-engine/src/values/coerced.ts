import type { BoundValue } from './cell.js';

/** A value converted for its column, or the reason why it is rejected. */
export type Coerced =
  | { readonly kind: 'value'; readonly value: BoundValue }
  | { readonly kind: 'refused'; readonly msg: string; readonly type: string; readonly hint?: string };

/**
 * The use of the value. For `write`, it must fit the column. For `filter`, it must have the column's type.
 * Values that the column cannot store are accepted there, because they match nothing. For `key`, it must have
 * the strict form of an identifier.
 */
export type Purpose = 'write' | 'filter' | 'key';

export function fits(value: BoundValue): Coerced {
  return { kind: 'value', value };
}

export function reject(msg: string, type: string, hint?: string): Coerced & { readonly kind: 'refused' } {
  return hint === undefined ? { kind: 'refused', msg, type } : { kind: 'refused', msg, type, hint };
}
