import { INTEGER_BITS, type CompiledColumn } from '@rowhouse/schema-model';
import { isDigit, ZERO } from '../request/json-scanner.js';
import { fits, reject, type Coerced, type Purpose } from './coerced.js';

const INTEGER = /^-?\d+$/;
const STRICT_INTEGER = /^(?:0|-?[1-9]\d*)$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const FLOAT = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/**
 * The number of digits up to which a JavaScript number is exact. Numbers of this length are converted ten
 * times as fast.
 */
const NUMBER_DIGITS_MAX = 15;
/** The maximum number of digits, which is more than any column stores. */
const DIGITS_MAX = 400;

/**
 * Returns the digits of a whole number that is written with a decimal point or an exponent, such as `1` for
 * `1.0` and `10e-1`. Returns null for any other text.
 */
export function toWholeNumber(text: string): string | null {
  if (text.length > DIGITS_MAX || !FLOAT.test(text)) return null;
  return /^(-?\d+)(?:\.0+)?$/.exec(expandExponent(text) ?? '')?.[1] ?? null;
}

/**
 * Converts an integer to text, which is exact even for BIGINT UNSIGNED. With `mayBeDecimal`, `1.0` and `1e0`
 * are accepted as the integer 1.
 */
export function coerceInteger(
  column: CompiledColumn,
  text: string,
  purpose: Purpose,
  mayBeDecimal: boolean,
): Coerced {
  // The fast path for short integers, which needs no regular expression and creates no string.
  if (isShortInteger(text) && (purpose === 'filter' || isInRange(column, Number(text)))) return fits(text);
  const digits = readInteger(text, purpose, mayBeDecimal);
  if (digits === null) return reject('This is not an integer.', 'int_parsing');
  if (digits.length <= NUMBER_DIGITS_MAX && (purpose === 'filter' || isInRange(column, Number(digits))))
    return fits(String(Number(digits)));
  const value = BigInt(digits);
  const [low, high] = purpose === 'filter' ? [-(1n << 63n), (1n << 64n) - 1n] : integerRange(column);
  if (value < low || value > high)
    return reject(`The value must be between ${low} and ${high}.`, 'out_of_range');
  return fits(value.toString());
}

function readInteger(text: string, purpose: Purpose, mayBeDecimal: boolean): string | null {
  if (text.length > DIGITS_MAX) return null;
  if (purpose === 'key') return STRICT_INTEGER.test(text) ? text : null;
  if (INTEGER.test(text)) return text;
  return mayBeDecimal || purpose === 'filter' ? toWholeNumber(text) : null;
}

/** A range of integers. A column accepts every short integer less than `below`. */
export interface IntegerRange {
  readonly below: number;
}

/**
 * Returns the range of short integers (see `isShortInteger`) that a JSON number may have to be stored without
 * a conversion. Returns null if the column does not store integers.
 */
export function shortIntegers(column: CompiledColumn): IntegerRange | null {
  if (column.valueKind !== 'integer' && column.valueKind !== 'bit') return null;
  const size = 2 ** bitsOf(column);
  return { below: isUnsigned(column) ? size : size / 2 };
}

/**
 * Reports whether a text is an integer of at most `NUMBER_DIGITS_MAX` digits, without a sign or leading
 * zeros.
 */
export function isShortInteger(text: string): boolean {
  const { length } = text;
  if (length === 0 || length > NUMBER_DIGITS_MAX || (length > 1 && text.charCodeAt(0) === ZERO)) return false;
  for (let index = 0; index < length; index += 1) {
    if (!isDigit(text.charCodeAt(index))) return false;
  }
  return true;
}

/** Reports whether `value`, which is an exact JavaScript number, is in the range of the column. */
function isInRange(column: CompiledColumn, value: number): boolean {
  const size = 2 ** bitsOf(column);
  return isUnsigned(column) ? value >= 0 && value < size : value >= -size / 2 && value < size / 2;
}

function integerRange(column: CompiledColumn): [bigint, bigint] {
  const size = 1n << BigInt(bitsOf(column));
  return isUnsigned(column) ? [0n, size - 1n] : [-size / 2n, size / 2n - 1n];
}

function bitsOf(column: CompiledColumn): number {
  return column.valueKind === 'bit' ? (column.precision ?? 64) : (INTEGER_BITS[column.type] ?? 64);
}

function isUnsigned(column: CompiledColumn): boolean {
  return column.valueKind === 'bit' || column.unsigned;
}

/**
 * Converts a decimal to text. A value with more digits than the column stores is rejected, because the server
 * would round it silently.
 */
export function coerceDecimal(column: CompiledColumn, text: string, purpose: Purpose): Coerced {
  const plain = expandExponent(text);
  if (plain === null || plain.length > DIGITS_MAX || !DECIMAL.test(plain))
    return reject('This is not a decimal number.', 'decimal_parsing');
  const isNegative = plain.startsWith('-');
  const [rawWhole = '', rawFraction = ''] = (isNegative ? plain.slice(1) : plain).split('.');
  const whole = rawWhole.replace(/^0+(?=\d)/, '');
  const fraction = rawFraction.replace(/0+$/, '');
  const isZero = whole === '0' && fraction === '';
  const value = `${isNegative && !isZero ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  const [precision, scale] = purpose === 'write' ? [column.precision ?? 10, column.scale ?? 0] : [65, 30];
  const wholeMax = precision - (purpose === 'write' ? scale : Math.max(fraction.length, column.scale ?? 0));
  if (fraction.length > scale) return reject(`The column stores ${scale} decimal places.`, 'decimal_places');
  if ((whole === '0' ? 0 : whole.length) > wholeMax)
    return reject(`The column stores ${wholeMax} digits before the decimal point.`, 'out_of_range');
  if (purpose === 'write' && column.unsigned && value.startsWith('-'))
    return reject('The value must not be negative.', 'out_of_range');
  return fits(value);
}

/**
 * Converts a text to a number. A value for a FLOAT column is rounded in the same way as the column rounds it,
 * so that a filter by equality finds the written value.
 */
export function coerceFloat(column: CompiledColumn, text: string, purpose: Purpose): Coerced {
  if (text.length > DIGITS_MAX || !FLOAT.test(text)) return reject('This is not a number.', 'float_parsing');
  const value = column.valueKind === 'float' ? Math.fround(Number(text)) : Number(text);
  if (!Number.isFinite(value)) return reject('The value is too large for the column.', 'out_of_range');
  if (purpose === 'write' && column.unsigned && value < 0)
    return reject('The value must not be negative.', 'out_of_range');
  const fraction = /\.(\d*?)0*$/.exec(expandExponent(text) ?? '')?.[1] ?? '';
  // A column such as FLOAT(7,2) would round the value silently.
  if (purpose === 'write' && column.scale !== null && fraction.length > column.scale)
    return reject(`The column stores ${column.scale} decimal places.`, 'decimal_places');
  return fits(value);
}

/**
 * Converts a number with an exponent, such as `1.5e-7`, to a number without one, such as `0.00000015`. A text
 * without an exponent is returned unchanged. Returns null for an exponent beyond the range of all columns.
 */
export function expandExponent(text: string): string | null {
  const parts = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/.exec(text);
  if (parts === null) return /[eE]/.test(text) ? null : text;
  const [, sign = '', whole = '', fraction = '', exponentText = ''] = parts;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > 100) return null;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
