import type { BindValue } from '../types.js';

/** Values of every kind that can be bound to a statement. */
export const BIND_VALUES: readonly BindValue[] = [
  '',
  'ä😀',
  'x'.repeat(300),
  'y'.repeat(70_000),
  0,
  -1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 - 1,
  -(2 ** 53) + 1,
  1.5,
  -0,
  1e300,
  2n ** 64n - 1n,
  2n ** 63n,
  -(2n ** 63n),
  true,
  false,
  null,
  new Uint8Array([0, 255, 1]),
  new Uint8Array(300),
];
