import fc from 'fast-check';
import { EVERY_CODE_PATH, type ColumnUse, type TypeCase, type Written } from './type-case.js';

const LABELS = [
  'small',
  "it's, large",
  '',
  'back\\slash',
  'line\nbreak',
  'quote"',
  'Ünïcode 漢',
  '5',
  'per%cent_',
  '3',
];

function quoteSql(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\n', '\\n')}'`;
}

function hex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex').toUpperCase();
}

const enumWritten = LABELS.map((label): Written => ({
  json: JSON.stringify(label),
  read: JSON.stringify(label),
  raw: hex(label),
}));
const FLAGS = Array.from({ length: 64 }, (_, index) => (index === 10 ? 'Ünï "q" \\' : `flag${index}`));

function setWritten(labels: readonly string[], chosen: readonly string[]): Written {
  const stored = labels.filter((label) => chosen.includes(label));
  return { json: JSON.stringify(chosen), read: JSON.stringify(stored), raw: hex(stored.join(',')) };
}

function bytesWritten(bytes: Uint8Array, length: number | null): Written {
  const json = JSON.stringify(Buffer.from(bytes).toString('base64'));
  const stored = length === null ? Buffer.from(bytes) : Buffer.concat([bytes], length);
  return { json, read: JSON.stringify(stored.toString('base64')), raw: stored.toString('hex').toUpperCase() };
}

function binaryCase(
  name: string,
  type: string,
  bytesMax: number,
  uses: readonly ColumnUse[],
  fixed: number | null = null,
): TypeCase {
  const samples = [[], [0], [0xff, 0x00], [0x27, 0x5c, 0x60], [0x20], [0xc3, 0x28], [0, 0, 0]].filter(
    (bytes) => bytes.length <= bytesMax,
  );
  return {
    name,
    type,
    engine: 'both',
    raw: 'HEX(v)',
    compare: 'exact',
    codePaths: uses,
    edges: samples.map((bytes) => bytesWritten(Uint8Array.from(bytes), fixed)),
    values: fc.uint8Array({ maxLength: bytesMax }).map((bytes) => bytesWritten(bytes, fixed)),
  };
}

const uuidWritten = (text: string): Written => ({
  json: JSON.stringify(text),
  read: JSON.stringify(text.toLowerCase()),
  raw: text.toLowerCase(),
});
const inetWritten = (text: string, read = text): Written => ({
  json: JSON.stringify(text),
  read: JSON.stringify(read),
  raw: read,
});

/** Writes a vector. The stored bytes are little-endian 32-bit floats. */
function vectorWritten(numbers: readonly number[]): Written {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => bytes.writeFloatLE(number, index * 4));
  const json = `[${numbers.map((number) => (Object.is(number, -0) ? '-0' : String(number))).join(',')}]`;
  return { json, read: json, raw: bytes.toString('hex').toUpperCase() };
}

const jsonWritten = (json: string): Written => ({ json, read: json, raw: '' });

export const OTHER_CASES: readonly TypeCase[] = [
  {
    name: 'enum',
    type: `enum(${LABELS.map(quoteSql).join(',')})`,
    engine: 'both',
    raw: 'HEX(CONVERT(v USING utf8mb4))',
    compare: 'exact',
    codePaths: ['equal', 'sort', 'cursor', 'key', 'foreign'],
    edges: enumWritten,
    values: fc.constantFrom(...enumWritten),
  },
  {
    name: 'enumlatin',
    type: `enum('é','ß','x') character set latin1`,
    engine: 'both',
    raw: 'HEX(CONVERT(v USING utf8mb4))',
    compare: 'exact',
    codePaths: ['equal', 'sort', 'cursor', 'key', 'foreign'],
    edges: ['é', 'ß', 'x'].map((label) => ({ json: `"${label}"`, read: `"${label}"`, raw: hex(label) })),
    values: fc.constant({ json: '"é"', read: '"é"', raw: hex('é') }),
  },
  {
    name: 'set',
    type: `set(${FLAGS.map(quoteSql).join(',')})`,
    engine: 'both',
    raw: 'HEX(CONVERT(v USING utf8mb4))',
    order: 'CAST(v AS UNSIGNED)',
    compare: 'exact',
    codePaths: ['scalar', 'sort', 'cursor', 'key'],
    edges: [
      [],
      [FLAGS[0] ?? ''],
      [FLAGS[63] ?? ''],
      [FLAGS[63] ?? '', FLAGS[0] ?? ''],
      [FLAGS[63] ?? '', FLAGS[1] ?? ''],
      FLAGS,
      [FLAGS[10] ?? ''],
    ].map((chosen) => setWritten(FLAGS, chosen)),
    values: fc.subarray(FLAGS, { maxLength: 10 }).map((chosen) => setWritten(FLAGS, chosen)),
  },
  binaryCase('binary4', 'binary(4)', 4, ['equal', 'order', 'cursor', 'key', 'foreign'], 4),
  binaryCase('varbinary', 'varbinary(64)', 64, ['equal', 'order', 'cursor', 'key', 'foreign']),
  binaryCase('tinyblob', 'tinyblob', 64, ['equal', 'order']),
  binaryCase('blob', 'blob', 200, ['equal', 'order']),
  binaryCase('mediumblob', 'mediumblob', 200, ['equal', 'order']),
  binaryCase('longblob', 'longblob', 200, ['equal', 'order']),
  {
    name: 'json',
    type: 'json',
    engine: 'both',
    raw: "''",
    compare: 'json',
    codePaths: [],
    edges: [
      '{}',
      '[]',
      '""',
      '0',
      'true',
      '"\\u0000"',
      '"😀\\n\\"\\\\"',
      '{"a":{"b":[1,2.5,null,{"c":"d"}]},"":1}',
      '9007199254740993',
      '-9223372036854775808',
      '18446744073709551615',
      '{"$inc":1}',
      '1.5e300',
    ].map(jsonWritten),
    values: fc
      .jsonValue({ noUnicodeString: false })
      .filter((value) => value !== null)
      .map((value) => jsonWritten(JSON.stringify(value))),
  },
  {
    name: 'uuid',
    type: 'uuid',
    engine: 'mariadb',
    raw: 'CAST(v AS CHAR)',
    compare: 'exact',
    codePaths: EVERY_CODE_PATH,
    edges: [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '123E4567-E89B-12D3-A456-426614174000',
    ].map(uuidWritten),
    values: fc.uuid().map(uuidWritten),
  },
  {
    name: 'inet4',
    type: 'inet4',
    engine: 'mariadb',
    raw: 'CAST(v AS CHAR)',
    compare: 'exact',
    codePaths: EVERY_CODE_PATH,
    edges: ['0.0.0.0', '255.255.255.255', '127.0.0.1'].map((text) => inetWritten(text)),
    values: fc.ipV4().map((text) => inetWritten(text)),
  },
  {
    name: 'inet6',
    type: 'inet6',
    engine: 'mariadb',
    raw: 'CAST(v AS CHAR)',
    compare: 'exact',
    codePaths: EVERY_CODE_PATH,
    edges: [
      inetWritten('::'),
      inetWritten('::1'),
      inetWritten('2001:DB8::FF00:42:8329', '2001:db8::ff00:42:8329'),
      inetWritten('10.0.0.1', '::ffff:10.0.0.1'),
      inetWritten('2001:0db8:0:0:0:0:0:1', '2001:db8::1'),
    ],
    values: fc
      .array(fc.integer({ min: 1, max: 0xffff }), { minLength: 8, maxLength: 8 })
      .map((groups) => inetWritten(groups.map((group) => group.toString(16)).join(':'))),
  },
  {
    name: 'vector3',
    type: 'vector(3)',
    engine: 'mysql',
    raw: 'HEX(v)',
    compare: 'single',
    codePaths: [],
    edges: [
      [0, 0, 0],
      [0.1, -0.1, 1e30],
      [1, 2],
      [3.4028234663852886e38, 1e-45, -0],
    ].map((numbers) => vectorWritten(numbers.map(Math.fround))),
    values: fc
      .array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 3 })
      .map(vectorWritten),
  },
];
