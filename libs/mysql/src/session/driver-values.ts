import mysql from 'mysql2';
import type { BindValue } from '../types.js';

const INT64_MAX = 2n ** 63n - 1n;

/**
 * Assigns each value its exact wire type. The driver would send every number as DOUBLE, and 64-bit integers
 * as text, which the server compares as floating point.
 */
export function toDriverValues(values: readonly BindValue[]): unknown[] {
  return values.map(toDriverValue);
}

function toDriverValue(value: BindValue): unknown {
  switch (typeof value) {
    case 'bigint':
      return value > INT64_MAX
        ? mysql.TypedParameter.LONGLONG.unsigned(value)
        : mysql.TypedParameter.LONGLONG(value);
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0)
        ? mysql.TypedParameter.LONGLONG(value)
        : value;
    case 'object':
      if (value === null || Buffer.isBuffer(value)) return value;
      return value instanceof Uint8Array
        ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
        : mysql.TypedParameter.NEWDECIMAL(value.digits);
    default:
      return value;
  }
}
