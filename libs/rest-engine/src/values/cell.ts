import type { CompiledColumn } from '@rowhouse/schema-model';

/**
 * A value that is bound to a `?`. Values that must be exact are text. Only values of FLOAT, DOUBLE and
 * boolean columns are numbers.
 */
export type BoundValue = string | number | Uint8Array | null;

/**
 * A value as the driver returns it. Dates, times, DECIMAL, BIGINT and JSON are text. Binary values and BIT
 * are bytes. A VECTOR is an array of numbers.
 */
export type Cell = string | number | bigint | Uint8Array | readonly number[] | null;

/**
 * Returns a keyed digest of cells as 22 characters of base64url. Equal cells have equal digests. Without the
 * secret key, a digest reveals nothing about the cells.
 */
export type DigestCells = (cells: readonly Cell[]) => string;

/**
 * Converts a cell of `column` to a value that can be bound, in order to find the record or the records that
 * refer to it.
 */
export function bindCell(cell: Cell, column: CompiledColumn | undefined): BoundValue {
  if (cell === null) return null;
  if (cell instanceof Uint8Array) return column?.type === 'bit' ? bitsToText(cell) : cell;
  // The server would interpret the text 0 as the year 2000.
  if (column?.valueKind === 'year') return String(cell).padStart(4, '0');
  return String(cell);
}

/** Returns the bytes of a BIT value, most significant first, as decimal digits. */
export function bitsToText(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value.toString();
}

/** Returns the smallest power of two that is at least `length`. */
export function paddedLength(length: number): number {
  let size = 1;
  while (size < length) size *= 2;
  return size;
}
