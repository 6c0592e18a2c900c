import type { CompiledColumn } from '@rowhouse/schema-model';
import { decodeBase64 } from './base64.js';
import { fits, reject, type Coerced, type Purpose } from './coerced.js';

export function coerceBinary(column: CompiledColumn, text: string, purpose: Purpose): Coerced {
  const bytes = decodeBase64(text);
  if (bytes === null) return reject('This is not base64.', 'bytes_parsing');
  if (purpose === 'write' && column.maxLength !== null && bytes.length > column.maxLength) {
    return reject(`The value is longer than ${column.maxLength} bytes.`, 'bytes_too_long');
  }
  return fits(column.type === 'binary' ? padBytes(bytes, column.maxLength ?? 0) : bytes);
}

/**
 * Pads a value for BINARY(n), which always has n bytes. The server pads with zero bytes when it writes a
 * value, but not when it compares.
 */
function padBytes(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length >= length) return bytes;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  return padded;
}

/**
 * Converts the numbers of a VECTOR to little-endian 32-bit floats, which is the storage format of both
 * engines.
 */
export function coerceVector(column: CompiledColumn, numbers: readonly string[]): Coerced {
  const maximum = Number(/\((\d+)\)/.exec(column.sqlType)?.[1] ?? Number.POSITIVE_INFINITY);
  if (numbers.length > maximum) return reject(`The column stores at most ${maximum} numbers.`, 'too_long');
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [index, text] of numbers.entries()) {
    const value = Math.fround(Number(text));
    if (!Number.isFinite(value)) return reject('The numbers of a vector must be finite.', 'out_of_range');
    view.setFloat32(index * 4, value, true);
  }
  return numbers.length === 0
    ? reject('A vector needs at least one number.', 'vector')
    : fits(new Uint8Array(view.buffer));
}
