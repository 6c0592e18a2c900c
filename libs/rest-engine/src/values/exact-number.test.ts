import { describe, expect, it } from 'vitest';
import { needsQuotes, quoteWideNumbers } from '../sql/value-writer.js';
import { isExactAsDouble, isExactInMysqlJson, readExactNumber, toNumberPattern } from './exact-number.js';

describe('exact numbers', () => {
  it('equal numbers have equal digits, however they are written', () => {
    for (const [item, other] of [
      ['100', '1e2'],
      ['0.10', '1E-1'],
      ['-0.0', '0'],
      ['12.5', '125e-1'],
      ['00.5', '5e-1'],
      ['1e+21', '1000000000000000000000'],
    ] as const) {
      expect(readExactNumber(item)).toEqual(readExactNumber(other));
    }
  });

  it('exact numbers reject texts that are not numbers and numbers beyond doubles', () => {
    expect(
      ['', 'x', '1.', '.5', '+1', '1e400', '1e-400', 'NaN', '0x1', '1_0', ' 1'].map(readExactNumber),
    ).toEqual(Array.from({ length: 11 }, () => null));
  });

  it('isExactAsDouble returns whether a double writes the same digits again', () => {
    expect(['0', '0.1', '1.50', '9007199254740992', '1e21', '-5e-324'].map(isExactAsDouble)).toEqual(
      Array.from({ length: 6 }, () => true),
    );
    expect(
      ['9007199254740993', '0.10000000000000001', '123456789012345678.5', '1e400'].map(isExactAsDouble),
    ).toEqual(Array.from({ length: 4 }, () => false));
    expect(
      ['18446744073709551615', '-9223372036854775808', '9007199254740993'].map(isExactInMysqlJson),
    ).toEqual([true, true, true]);
    expect(['18446744073709551617', '9007199254740993.5'].map(isExactInMysqlJson)).toEqual([false, false]);
  });

  it('the search pattern of a number matches all of its spellings and no other number', () => {
    const finds = (number: string, text: string): boolean =>
      new RegExp(
        `^${toNumberPattern(readExactNumber(number) as NonNullable<ReturnType<typeof readExactNumber>>)}$`,
      ).test(text);
    for (const text of ['150', '150.0', '1.5e2', '1.50E+02', '15e1'])
      expect([text, finds('150', text)]).toEqual([text, true]);
    for (const text of ['15', '1500', '-150', '150.1', '1.5e3', '1505'])
      expect([text, finds('150', text)]).toEqual([text, false]);
    for (const [number, text] of [
      ['-0.025', '-0.0250'],
      ['-0.025', '-2.5e-2'],
      ['1e-7', '1e-07'],
      ['0', '-0.00'],
      ['0', '0e5'],
    ] as const)
      expect([text, finds(number, text)]).toEqual([text, true]);
  });

  it('numbers that a double would change become strings, and texts stay unchanged', () => {
    expect(
      quoteWideNumbers(
        '{"a":9007199254740993,"b 1147386954405658711":[-0.12345678901234567891, 1.5 ,1e400],"c":"\\" 1147386954405658711"}',
      ),
    ).toBe(
      '{"a":"9007199254740993","b 1147386954405658711":["-0.12345678901234567891", 1.5 ,"1e400"],"c":"\\" 1147386954405658711"}',
    );
    expect(['123456789012345', '1e5', '1e400', '12345678901234567'].map(needsQuotes)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
