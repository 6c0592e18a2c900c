/**
 * Converts `1.5e-7` to `0.00000015`. A text without an exponent is returned unchanged. Returns null for an
 * exponent beyond the range of all columns.
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
