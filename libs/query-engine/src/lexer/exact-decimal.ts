/** A number with all the digits of its text. The server receives it as a DECIMAL. */
export class ExactDecimal {
  /**
   * An optional sign, then digits with an optional decimal point. At most 65 digits are allowed, 30 of them
   * after the point.
   */
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  /**
   * Returns the digits, so that code that limits the length of parameters can treat this number like any
   * other.
   */
  toString(): string {
    return this.digits;
  }
}

const FORM = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const [INT64_MIN, UINT64_MAX] = [-(2n ** 63n), 2n ** 64n - 1n];
const [DIGITS_MAX, SCALE_MAX] = [65, 30];

/**
 * Converts a JSON number to an exact value, in whatever notation it is written. The result is an integer if
 * 64 bits are sufficient, and a decimal otherwise. A number that DECIMAL(65,30) cannot represent becomes a
 * double.
 *
 * @param text a number as JSON spells it
 */
export function toExactNumber(text: string): bigint | ExactDecimal | number {
  const [, sign = '', whole = '', fraction = '', power = '0'] = FORM.exec(text) ?? [];
  const exponent = Number(power);
  if (whole === '' || Math.abs(exponent) > 2 * DIGITS_MAX) return Number(text);
  const scale = fraction.length - exponent;
  const digits =
    scale > 0 ? `${whole}${fraction}`.padStart(scale + 1, '0') : `${whole}${fraction}${'0'.repeat(-scale)}`;
  const before = digits.slice(0, digits.length - Math.max(0, scale)).replace(/^0+(?=\d)/, '');
  const after = fitScale(digits.slice(digits.length - Math.max(0, scale)));
  if (/^0*$/.test(after)) {
    const value = before.length <= 20 ? BigInt(sign + before) : null;
    if (value !== null && value >= INT64_MIN && value <= UINT64_MAX) return value;
    return before.length <= DIGITS_MAX ? new ExactDecimal(sign + before) : Number(text);
  }
  const isHeld = after.length <= SCALE_MAX && before.length + after.length <= DIGITS_MAX;
  return isHeld ? new ExactDecimal(`${sign}${before}.${after}`) : Number(text);
}

/** Removes the zeros at the end of a fraction if it has too many digits. */
function fitScale(after: string): string {
  return after.length <= SCALE_MAX ? after : after.replace(/0+$/, '');
}
