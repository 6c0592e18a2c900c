/** A decimal number with all its digits: `0.{digits}` times ten to the power of `point`, with its sign. */
export interface ExactNumber {
  /**
   * The nearest double. If two numbers have different doubles, the doubles have the same order as the
   * numbers.
   */
  readonly approximate: number;
  readonly isNegative: boolean;
  /** The significant digits without leading and trailing zeros. The text is empty for zero. */
  readonly digits: string;
  readonly point: number;
}

const NUMBER = /^(-?)(\d{1,300})(?:\.(\d{1,300}))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Parses a number exactly. Returns null for a text that is not a number, and for a number outside the range
 * of doubles.
 */
export function readExactNumber(text: string): ExactNumber | null {
  const parts = NUMBER.exec(text);
  const approximate = Number(text);
  if (parts === null || !Number.isFinite(approximate)) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const all = whole + fraction;
  const leading = all.length - all.replace(/^0+/, '').length;
  const digits = trimZeros(all.slice(leading));
  if (digits === '') return { approximate: 0, isNegative: false, digits, point: 0 };
  // A number too small for a double is rejected, because it would be treated as zero.
  if (approximate === 0) return null;
  return { approximate, isNegative: sign === '-', digits, point: whole.length - leading + Number(exponent) };
}

/**
 * Removes trailing zeros. It uses a loop, because a regular expression would start again at each zero inside
 * the text.
 */
function trimZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Reports whether a program that parses the number as a double can write all of its digits again. */
export function isExactAsDouble(text: string): boolean {
  const own = readExactNumber(text);
  const read = own === null ? null : readExactNumber(String(own.approximate));
  return own !== null && read !== null && own.digits === read.digits && own.point === read.point;
}

/**
 * Reports whether MySQL preserves all digits of a number in a JSON column. It stores all numbers except
 * 64-bit integers as doubles.
 */
export function isExactInMysqlJson(text: string): boolean {
  if (!/^-?\d{1,20}$/.test(text)) return isExactAsDouble(text);
  const value = BigInt(text);
  return (value >= -(2n ** 63n) && value < 2n ** 64n) || isExactAsDouble(text);
}

/**
 * Returns a regular expression that matches all notations of a number in JSON text. In these notations, the
 * mantissa has no decimal point, or one digit before it.
 */
export function toNumberPattern({ isNegative, digits, point }: ExactNumber): string {
  if (digits === '') return '-?0(?:\\.0+)?(?:[eE][+-]?\\d+)?';
  const first = digits.slice(0, 1);
  const rest = digits.slice(1);
  const scientific = `${first}${rest === '' ? '(?:\\.0+)?' : `\\.${rest}0*`}[eE]${toExponentPattern(point - 1)}`;
  const whole = `${digits}(?:\\.0+)?[eE]${toExponentPattern(point - digits.length)}`;
  return `${isNegative ? '-' : ''}(?:${toPlainPattern(digits, point)}|${scientific}|${whole})`;
}

function toPlainPattern(digits: string, point: number): string {
  if (point <= 0) return `0\\.0{${-point}}${digits}0*`;
  if (point >= digits.length) return `${digits}0{${point - digits.length}}(?:\\.0+)?`;
  return `${digits.slice(0, point)}\\.${digits.slice(point)}0*`;
}

function toExponentPattern(exponent: number): string {
  return exponent < 0 ? `-0*${-exponent}` : `\\+?0*${exponent}`;
}
