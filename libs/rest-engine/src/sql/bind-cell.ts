import type { CompiledColumn } from '@rowhouse/schema-model';
import type { Cell } from '../response/result-set.js';
import { bitsToText } from './bits-to-text.js';
import type { BoundValue } from './statement.js';

/** Converts a cell of `column` to a bound value, to find its record or the records that refer to it. */
export function bindCell(cell: Cell, column: CompiledColumn | undefined): BoundValue {
  if (cell === null) return null;
  if (cell instanceof Uint8Array) return column?.type === 'bit' ? bitsToText(cell) : cell;
  // The text 0 would mean the year 2000.
  if (column?.valueKind === 'year') return String(cell).padStart(4, '0');
  return String(cell);
}
