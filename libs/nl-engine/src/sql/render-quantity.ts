import type { Quantity } from '../types.js';

/** Renders the comparison after `COUNT(*)`. */
export function renderQuantity({ op, count, upTo }: Quantity): string {
  return upTo === undefined ? `${op} ${count}` : `BETWEEN ${count} AND ${upTo}`;
}
