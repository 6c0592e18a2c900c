import type { Quantity } from '../types.js';

/** What stands behind a `COUNT(*)`. */
export function renderQuantity({ op, count, upTo }: Quantity): string {
  return upTo === undefined ? `${op} ${count}` : `BETWEEN ${count} AND ${upTo}`;
}
