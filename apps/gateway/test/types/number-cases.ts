import fc from 'fast-check';
import { EVERY_CODE_PATH, same, type ColumnUse, type TypeCase, type Written } from './type-case.js';

const BYTES: Readonly<Record<string, bigint>> = {
  tinyint: 8n,
  smallint: 16n,
  mediumint: 24n,
  int: 32n,
  bigint: 64n,
};

/** The parts that all test cases about exact numbers share. */
const EXACT_NUMBER = {
  engine: 'both',
  raw: 'CAST(v AS CHAR)',
  codePaths: EVERY_CODE_PATH,
  compare: 'exact',
} as const;

function integerCase(type: string, unsigned: boolean): TypeCase {
  const bits = BYTES[type] ?? 64n;
  const [min, max] = unsigned ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
  const around = [
    min,
    min + 1n,
    0n,
    1n,
    max - 1n,
    max,
    ...[53n, 63n].flatMap((power) => [-1n, 0n, 1n].map((step) => (1n << power) + step)),
  ];
  const edges = [...new Set(around)]
    .filter((value) => value >= min && value <= max)
    .map((value) => same(String(value)));
  return {
    name: unsigned ? `u${type}` : type,
    type: unsigned ? `${type} unsigned` : type,
    ...EXACT_NUMBER,
    edges,
    values: fc
      .oneof(fc.bigInt({ min, max }), fc.bigInt({ min: 0n, max: 100n }))
      .map((value) => same(String(value))),
  };
}

/** Creates the case of a decimal type. With ` zerofill`, the stored text is padded with zeros. */
function decimalCase(name: string, precision: number, scale: number, attribute = ''): TypeCase {
  const wholeDigits = precision - scale;
  const digits = (length: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 0, maxLength: length });
  const isUnsigned = attribute !== '';
  const toWritten = (sign: string, whole: string, fraction: string): Written => {
    const plainWhole = whole.replace(/^0+(?=\d)/, '') || '0';
    const full = scale === 0 ? plainWhole : `${plainWhole}.${fraction.padEnd(scale, '0')}`;
    const isZero = !/[1-9]/.test(full);
    const read = `${sign === '-' && !isZero ? '-' : ''}${full}`;
    return {
      json: `${sign}${plainWhole}${fraction === '' ? '' : `.${fraction}`}`,
      read,
      raw: attribute === ' zerofill' ? read.padStart(precision + (scale > 0 ? 1 : 0), '0') : read,
    };
  };
  const nines = toWritten('', '9'.repeat(wholeDigits), '9'.repeat(scale));
  const edges = [
    nines,
    toWritten('', '0', ''),
    toWritten('', '0', scale === 0 ? '' : `${'0'.repeat(scale - 1)}1`),
    ...(isUnsigned ? [] : [toWritten('-', '9'.repeat(wholeDigits), '9'.repeat(scale))]),
  ];
  return {
    name,
    type: `decimal(${precision},${scale})${attribute}`,
    ...EXACT_NUMBER,
    edges,
    values: fc
      .tuple(fc.constantFrom('', isUnsigned ? '' : '-'), digits(wholeDigits), digits(scale))
      .map(([sign, whole, fraction]) => toWritten(sign, whole, fraction)),
  };
}

function floatCase(
  name: string,
  type: string,
  isSingle: boolean,
  uses: readonly ColumnUse[],
  isUnsigned = false,
): TypeCase {
  const toWritten = (value: number): Written => ({
    json: String(value),
    read: String(value),
    raw: String(isSingle ? Math.fround(value) : value),
  });
  const [min, max] = isSingle ? [1.1754943508222875e-38, 3.4028234663852886e38] : [5e-324, Number.MAX_VALUE];
  const all = isSingle
    ? fc.float({ noNaN: true, noDefaultInfinity: true })
    : fc.double({ noNaN: true, noDefaultInfinity: true });
  const decimals = fc.integer({ min: -999_999, max: 999_999 }).map((value) => value / 1000);
  const fix = (value: number): number => {
    const near = isSingle && Math.abs(value) < min ? 0 : value;
    return isUnsigned ? Math.abs(near) : near;
  };
  const single = (value: number): Written => {
    const fixed = fix(value);
    // Engines store a negative zero differently.
    return toWritten(fixed + 0);
  };
  return {
    name,
    type,
    engine: 'both',
    raw: 'CAST(v AS DOUBLE)',
    codePaths: uses,
    compare: isSingle ? 'single' : 'number',
    edges: [0, 0.1, -0.1, 1.5, min, max, -max, 16_777_217, 1e15].map(single),
    values: fc.oneof(all, decimals).map(single),
  };
}

function bitCase(length: number): TypeCase {
  const max = (1n << BigInt(length)) - 1n;
  return {
    name: `bit${length}`,
    type: `bit(${length})`,
    engine: 'both',
    raw: 'CAST(v + 0 AS CHAR)',
    compare: 'exact',
    codePaths: ['equal', 'order', 'sort', 'cursor', 'key', 'foreign'],
    edges: [...new Set([0n, 1n, max, max >> 1n, max - 1n])].map((value) => same(String(value))),
    values: fc.bigInt({ min: 0n, max }).map((value) => same(String(value))),
  };
}

const truths = [
  { json: 'true', read: 'true', raw: '1' },
  { json: 'false', read: 'false', raw: '0' },
  { json: '1', read: 'true', raw: '1' },
  { json: '0', read: 'false', raw: '0' },
];

function booleanCase(name: string, type: string, raw: string): TypeCase {
  return {
    name,
    type,
    engine: 'both',
    raw,
    compare: 'exact',
    codePaths: ['scalar', 'sort', 'cursor', 'key', 'foreign'],
    edges: truths,
    values: fc.constantFrom(...truths),
  };
}

const yearOf = (year: number): Written => ({
  json: String(year),
  read: String(year),
  raw: String(year).padStart(4, '0'),
});

export const NUMBER_CASES: readonly TypeCase[] = [
  ...Object.keys(BYTES).flatMap((type) => [integerCase(type, false), integerCase(type, true)]),
  { ...integerCase('int', true), name: 'intfill', type: 'int(6) zerofill', raw: 'CAST(v + 0 AS CHAR)' },
  { ...integerCase('bigint', true), name: 'bigfill', type: 'bigint zerofill', raw: 'CAST(v + 0 AS CHAR)' },
  decimalCase('decimal6530', 65, 30),
  decimalCase('decimal650', 65, 0),
  decimalCase('decimal102', 10, 2),
  decimalCase('decimal3030', 30, 30),
  decimalCase('udecimal', 20, 5, ' unsigned'),
  decimalCase('zdecimal', 12, 3, ' zerofill'),
  floatCase('float', 'float', true, ['equal', 'order', 'sort', 'key']),
  floatCase('double', 'double', false, EVERY_CODE_PATH),
  floatCase('ufloat', 'float unsigned', true, ['equal', 'order', 'sort', 'key'], true),
  floatCase('zdouble', 'double zerofill', false, EVERY_CODE_PATH, true),
  bitCase(2),
  bitCase(8),
  bitCase(33),
  bitCase(64),
  booleanCase('bool', 'boolean', 'CAST(v AS CHAR)'),
  booleanCase('bit1', 'bit(1)', 'CAST(v + 0 AS CHAR)'),
  {
    name: 'year',
    type: 'year',
    engine: 'both',
    raw: 'CAST(v AS CHAR)',
    compare: 'exact',
    codePaths: EVERY_CODE_PATH,
    edges: [0, 1901, 1969, 1970, 2000, 2155].map(yearOf),
    values: fc.integer({ min: 1901, max: 2155 }).map(yearOf),
  },
];
