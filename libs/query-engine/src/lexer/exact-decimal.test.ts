import { describe, expect, it } from 'vitest';
import { ExactDecimal, toExactNumber } from './exact-decimal.js';

/** Returns `i` for an integer, `d` for a decimal or `f` for a double, followed by the digits. */
function describeNumber(text: string): string {
  const value = toExactNumber(text);
  return `${typeof value === 'bigint' ? 'i' : value instanceof ExactDecimal ? 'd' : 'f'} ${String(value)}`;
}

describe('toExactNumber', () => {
  it.each([
    ['0', 'i 0'],
    ['-0', 'i 0'],
    ['-0.0', 'i 0'],
    ['7', 'i 7'],
    ['1.0', 'i 1'],
    ['1e0', 'i 1'],
    ['1.50e2', 'i 150'],
    ['150e-1', 'i 15'],
    ['0e99', 'i 0'],
    ['18446744073709551615', 'i 18446744073709551615'],
    ['-9223372036854775808', 'i -9223372036854775808'],
    ['18446744073709551616', 'd 18446744073709551616'],
    ['-9223372036854775809', 'd -9223372036854775809'],
    ['1e21', 'd 1000000000000000000000'],
    ['12345678901234567.89', 'd 12345678901234567.89'],
    ['1.50', 'd 1.50'],
    ['-0.1', 'd -0.1'],
    ['1e-7', 'd 0.0000001'],
    ['12.34e1', 'd 123.4'],
    ['12.34E+1', 'd 123.4'],
    ['1e-30', `d 0.${'0'.repeat(29)}1`],
    ['9'.repeat(65), `d ${'9'.repeat(65)}`],
    [`0.1${'0'.repeat(40)}`, 'd 0.1'],
    ['1e-31', 'f 1e-31'],
    ['1e65', 'f 1e+65'],
    ['1e300', 'f 1e+300'],
    ['1e400', 'f Infinity'],
    ['1e-400', 'f 0'],
    [`${'9'.repeat(40)}.${'1'.repeat(30)}`, 'f 1e+40'],
  ])('toExactNumber converts the number %s to %s', (text, expected) => {
    expect(describeNumber(text)).toBe(expected);
  });

  it('an exact decimal keeps its text and can be converted to the nearest number', () => {
    expect([`${String(toExactNumber('-1.5'))}`, Number(toExactNumber('-1.5'))]).toEqual(['-1.5', -1.5]);
  });
});
