// @ts-check
/** @typedef {import('@rowhouse/schema-model/testing').Random} Random */

/** Values of kinds that have broken programs like this one. */
const TEXTS = [
  '',
  ' ',
  '0',
  '1',
  '-1',
  '01',
  '1.0',
  '1e5',
  '+1',
  '0x10',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '99999999999999999999',
  '1e999',
  'NaN',
  'Infinity',
  'true',
  'false',
  'TRUE',
  'null',
  'NULL',
  'undefined',
  'x',
  'ann',
  '%',
  '_',
  '%%',
  '\\',
  '\\%',
  "'",
  '"',
  '`',
  "' OR '1'='1",
  '1; DROP TABLE posts',
  '1 UNION SELECT 1',
  '/*!50000 x */',
  '-- x',
  '#',
  '2024-02-29',
  '2024-02-30',
  '0000-00-00',
  '2024-01-01T00:00:00Z',
  '2024-01-01T25:00:00Z',
  '2024-01-01T00:00:00+99:00',
  '9999-12-31T23:59:59.999999',
  '-0001-01-01',
  '10000-01-01',
  '838:59:59',
  '[]',
  '{}',
  '[1,2]',
  '{"a":1}',
  '(1,2)',
  '1,2',
  ',',
  '1,',
  '..',
  '../posts',
  '.',
  '%00',
  '%zz',
  '%ff',
  '%c0%af',
  '\u0000',
  '\u0001',
  '\n',
  '\ud83d\ude00',
  '\ud83d',
  '\u202e',
  'İ',
  'ß',
  'ä'.repeat(300),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '${7*7}',
  '{{7*7}}',
  '<script>',
  'a'.repeat(256),
  'a'.repeat(5_000),
  'AP8Q/w==',
  '123e4567-e89b-12d3-a456-426614174000',
  '::1',
  '127.0.0.1',
  'file:///etc/passwd',
];

/** @param {Random} random */
export function makeText(random) {
  const text = random.pick(TEXTS);
  return random.maybe(0.1) ? text + random.pick(TEXTS) : text;
}

/**
 * Returns JSON text, sometimes in a form that `JSON.stringify` would not write.
 * @param {Random} random
 * @param {number} [depth]
 * @returns {string}
 */
export function makeJson(random, depth = 0) {
  const kind = random.integer(depth > 3 ? 6 : 9);
  if (kind === 0) return random.pick(['null', 'true', 'false']);
  if (kind === 1)
    return random.pick([
      '0',
      '-0',
      '1',
      '-1',
      '1.5',
      '1e2',
      '255',
      '256',
      '65536',
      '2147483648',
      '9007199254740993',
      '18446744073709551616',
      '1e400',
      '-1e-400',
      '0.1000000000000000055511151231257827',
    ]);
  if (kind <= 5) return JSON.stringify(makeText(random));
  if (kind === 6)
    return `[${Array.from({ length: random.integer(4) }, () => makeJson(random, depth + 1)).join(',')}]`;
  if (kind === 7)
    return `{${Array.from({ length: random.integer(4) }, () => `${JSON.stringify(makeText(random))}:${makeJson(random, depth + 1)}`).join(',')}}`;
  return random.pick([
    '{"$inc":1}',
    '{"$inc":"x"}',
    '{"$ref":"0.id"}',
    '{"$value":1}',
    '{"type":"Point","coordinates":[1,2]}',
    '[[[[[[[[[[1]]]]]]]]]]',
  ]);
}

/** @param {string} text */
export function encode(text) {
  try {
    return encodeURIComponent(text);
  } catch {
    // The invalid UTF-8 bytes that some clients send for a lone surrogate.
    return '%ed%a0%80';
  }
}
