import type { NumberLiteral, Token } from '../types.js';

/**
 * The maximum number of digits of a DECIMAL on both engines, and the maximum number of them after the decimal
 * point.
 */
const [DIGITS_MAX, SCALE_MAX] = [65, 30];

/**
 * Converts a token with a number to a literal. `digits` is set if a double would be written with other
 * digits.
 */
export function toNumberLiteral({ text, value }: Token): NumberLiteral {
  const digits = text.replace(/[$,%\s]/g, '');
  return /^-?\d/.test(digits) && digits !== String(value)
    ? { kind: 'number', value, digits }
    : { kind: 'number', value };
}

/** Returns the digits of a number as they are in the question, such as `007` or `1.50`. */
export function writtenDigits({ value, digits }: NumberLiteral): string {
  return digits ?? String(value);
}

/** Returns all digits of a number without unnecessary zeros, such as `7` for `007` and `1.5` for `1.50`. */
export function exactDigits({ value, digits }: NumberLiteral): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(digits ?? '') ?? [];
  return whole === '' ? String(value) : `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Reports whether the number would lose digits as a double. The SQL then contains its digits, which servers
 * parse as DECIMAL. Returns false for a number that exceeds DECIMAL, which remains a double.
 */
export function needsExactDigits(literal: NumberLiteral): boolean {
  const digits = exactDigits(literal);
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  return (
    digits !== String(literal.value) &&
    fraction.length <= SCALE_MAX &&
    whole.length + fraction.length <= DIGITS_MAX
  );
}

/** Compares two numbers by all of their digits. Returns a negative number if the first is lower. */
export function compareExactly(a: NumberLiteral, b: NumberLiteral): number {
  const [first, second] = [exactDigits(a), exactDigits(b)];
  if (a.value !== b.value || /[eIN]/.test(first + second)) return a.value - b.value;
  const scale = Math.max(...[first, second].map((digits) => digits.split('.')[1]?.length ?? 0));
  const [low, high] = [first, second].map((digits) => {
    const [whole = '', fraction = ''] = digits.split('.');
    return BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
  });
  return low === undefined || high === undefined || low === high ? 0 : low < high ? -1 : 1;
}
