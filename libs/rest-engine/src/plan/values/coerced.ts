import type { BoundValue } from '../../sql/statement.js';

/** A value fit for its column, or why it is not. */
export type Coerced =
  | { readonly kind: 'value'; readonly value: BoundValue }
  | { readonly kind: 'refused'; readonly msg: string; readonly type: string; readonly hint?: string };

/**
 * What the value is for. `write`: it must fit the column. `filter`: it must have the column's type; values that no
 * column can hold are fine, since they simply match nothing. `key`: the strict form of an identifier.
 */
export type Purpose = 'write' | 'filter' | 'key';

export function fits(value: BoundValue): Coerced {
  return { kind: 'value', value };
}

export function refuse(msg: string, type: string, hint?: string): Coerced & { readonly kind: 'refused' } {
  return hint === undefined ? { kind: 'refused', msg, type } : { kind: 'refused', msg, type, hint };
}
