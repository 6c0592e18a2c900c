// @ts-check
/** @typedef {import('@rowhouse/schema-model/testing').ColumnSketch} ColumnSketch */
/** @typedef {import('../sql-files/hostile-text.mjs').Random} Random */
import { hostileText, quoteText } from '../sql-files/hostile-text.mjs';

/** Columns that every second table gets in addition to those of the random schema. */
export const EXTRA_COLUMNS = [
  'x_sjis varchar(60) CHARACTER SET sjis',
  'x_gbk varchar(60) CHARACTER SET gbk',
  'x_latin1 text CHARACTER SET latin1',
  'x_ascii varchar(20) CHARACTER SET ascii',
  'x_utf16 varchar(60) CHARACTER SET utf16',
  'x_bytes varbinary(300)',
  'x_bit bit(33)',
  'x_zero datetime(3)',
  "x_enum enum('','a\\'b','c')",
  'x_flag tinyint(1)',
  'x_note text',
];

/** @type {readonly [RegExp, (random: Random, type: string) => string][]} */
const BY_TYPE = [
  [/^tinyint.*unsigned/, (random) => random.pick(['0', '255', '7'])],
  [/^tinyint/, (random) => random.pick(['0', '1', '-128', '127', '7'])],
  [/^smallint.*unsigned/, (random) => random.pick(['0', '65535'])],
  [/^smallint/, (random) => random.pick(['-32768', '32767'])],
  [/^mediumint.*unsigned/, (random) => random.pick(['0', '16777215'])],
  [/^mediumint/, (random) => random.pick(['-8388608', '8388607'])],
  [/^int.*unsigned/, (random) => random.pick(['0', '4294967295'])],
  [/^int/, (random) => random.pick(['-2147483648', '2147483647', '0', '12'])],
  [/^bigint.*unsigned/, (random) => random.pick(['18446744073709551615', '9007199254740993'])],
  [/^bigint/, (random) => random.pick(['-9223372036854775808', '9223372036854775807'])],
  [/^decimal\(65/, (random) => random.pick([`${'9'.repeat(35)}.${'1'.repeat(30)}`, `-0.${'0'.repeat(29)}1`])],
  [/^decimal\(12/, (random) => random.pick(['0.0001', '99999999.9999'])],
  [/^decimal/, (random) => random.pick(['0', '-99999', '12345'])],
  [/^float/, (random) => random.pick(['-0e0', '0.1', '16777216.5', '-3.4e38', '1.17e-38', '1e-45'])],
  [
    /^double/,
    (random) =>
      random.pick(['-0e0', '0.1', '1e-300', '4.9e-324', '1.7976931348623157e308', '-3.141592653589793']),
  ],
  [/^bit\(1\)/, (random) => random.pick(["b'0'", "b'1'"])],
  [/^bit/, (random) => random.pick(["b'0'", "b'101'", "x'01ff'", '~0'])],
  [/^year/, (random) => random.pick(['0', '1901', '2155'])],
  [/^time/, (random) => random.pick(["'-838:59:59'", "'838:59:59'", "'25:00:00.25'"])],
  [
    /^timestamp/,
    (random) => random.pick(["'0000-00-00 00:00:00'", "'1970-01-01 00:00:01'", "'2038-01-19 03:14:07'"]),
  ],
  [
    /^date/,
    (random) =>
      random.pick([
        "'0000-00-00'",
        "'2020-00-10'",
        "'2020-02-30'",
        "'9999-12-31'",
        "'2024-02-29 23:59:59.123456'",
      ]),
  ],
  [/^enum\('new'/, (random) => random.pick(['0', "'paid'", "'on hold'", "''"])],
  [/^enum/, (random) => random.pick(['0', "''", "'c'", '2'])],
  [/^set/, (random) => random.pick(["''", "'red,blue'", '7'])],
  [
    /^json/,
    (random) =>
      random.pick([
        '\'{"n": 12345678901234567890.5, "s": "\\\\u0000\\\\r\\\\n\\\\""}\'',
        "'[9007199254740993, 1e308, -0.0, null]'",
        "'\"\\\\\\\\ \\'\"'",
        "'{}'",
      ]),
  ],
  [
    /^point/,
    (random) => random.pick(["ST_GeomFromText('POINT(1.5 -2)')", "ST_GeomFromText('POINT(10 20)', 4326)"]),
  ],
  [/^linestring/, () => "ST_GeomFromText('LINESTRING(0 0, 1 1.25, 2 2)', 4326)"],
  [/^polygon/, () => "ST_GeomFromText('POLYGON((0 0, 4 0, 4 4, 0 4, 0 0))', 3857)"],
  [
    /^geometry/,
    (random) =>
      random.pick([
        "ST_GeomFromText('MULTIPOINT(0 0, 1 1)')",
        "ST_GeomFromText('GEOMETRYCOLLECTION(POINT(1 2), LINESTRING(0 0, 1 1))', 4326)",
      ]),
  ],
  [/^vector/, () => "STRING_TO_VECTOR('[1.5, -0, 3e-38]')"],
  [/^uuid/, () => "'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'"],
  [/^inet4/, () => "'255.0.255.1'"],
  [/^inet6/, () => "'2001:db8::ff00:42:8329'"],
  [/binary|blob/, (random, type) => bytes(random, Number(/\((\d+)\)/.exec(type)?.[1] ?? 255))],
  [/sjis/, (random) => random.pick(["x'835c5c27'", "x'8540'", "x'815c0d0a'", "'a'"])],
  [/gbk/, (random) => random.pick(["x'bf5c27'", "x'a2a10d0a5c'", "'a'"])],
  [/latin1/, () => "x'810d0a5c9fff00'"],
  [/ascii/, (random) => random.pick(["x'61ff'", "'a'"])],
  [/utf16/, () => "x'd83dde00000d000a005c'"],
  [/char|text/, (random, type) => text(random, Number(/\((\d+)\)/.exec(type)?.[1] ?? 200))],
];

/**
 * Returns a value as SQL, or NULL for a type without values.
 * @param {Random} random
 * @param {string} type
 * @param {number} row
 */
export function makeValue(random, type, row) {
  const found = BY_TYPE.find(([pattern]) => pattern.test(type));
  return found === undefined
    ? 'NULL'
    : row === 0 && /^(?:int|bigint)/.test(type)
      ? '0'
      : found[1](random, type);
}

/** @param {Random} random @param {number} max */
function text(random, max) {
  const raw = `${random.pick(['', '\r\n', '\0', '\\', "'", '\x1a', '0x', '\\N'])}${hostileText(random, { max: 40 })}${random.pick(['', '\r', '\n', '\\'])}`;
  return quoteText(Array.from(raw).slice(0, Math.min(max, 200)).join(''));
}

/** @param {Random} random @param {number} max */
function bytes(random, max) {
  const all = random.pick(['00', '0d0a1a5c2722', 'ff00fe', 'bf5c27', '', '4e554c4c']);
  return `x'${all.slice(0, max * 2)}'`;
}
