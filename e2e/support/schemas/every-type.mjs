// @ts-check
/**
 * A table of more than thirty columns, with every type of the data API except GEOMETRY, VECTOR, and invisible
 * or generated columns. Each case has the JSON to write, the JSON that the API must return, and the text that
 * a direct connection reads.
 */

/**
 * @typedef {object} TypeCase
 * @property {string} column
 * @property {string} type
 * @property {{ write: string, read?: string, stored: string | null }[]} values JSON texts with exact digits;
 *   `read` is given if it differs from `write`
 * @property {string[]} refused JSON texts that are rejected with 422
 * @property {string} [select] the SQL expression that converts the stored value to text; defaults to CAST(…
 *   AS CHAR)
 */

/** @param {string} value */
const text = (value) => JSON.stringify(value);
const long = 'ä€😀'.repeat(2_000);

/** @type {TypeCase[]} */
export const TYPE_CASES = [
  integers('c_tinyint', 'tinyint', '-128', '127', ['128', '-129', '1.5', '"x"']),
  integers('c_utinyint', 'tinyint unsigned', '0', '255', ['-1', '256']),
  integers('c_smallint', 'smallint', '-32768', '32767', ['32768']),
  integers('c_mediumint', 'mediumint', '-8388608', '8388607', ['8388608']),
  integers('c_int', 'int', '-2147483648', '2147483647', ['2147483648']),
  integers('c_uint', 'int unsigned', '0', '4294967295', ['-1', '4294967296']),
  integers('c_bigint', 'bigint', '-9223372036854775808', '9223372036854775807', ['9223372036854775808']),
  integers('c_ubigint', 'bigint unsigned', '0', '18446744073709551615', ['-1', '18446744073709551616']),
  {
    column: 'c_bool',
    type: 'boolean',
    values: [
      { write: 'true', stored: '1' },
      { write: 'false', stored: '0' },
      { write: '1', read: 'true', stored: '1' },
      { write: '0', read: 'false', stored: '0' },
    ],
    refused: ['2', '"yes"', '"true "'],
  },
  {
    column: 'c_decimal',
    type: 'decimal(30,10)',
    values: [
      { write: '12345678901234567890.0123456789', stored: '12345678901234567890.0123456789' },
      { write: '-99999999999999999999.9999999999', stored: '-99999999999999999999.9999999999' },
      { write: '0.5', read: '0.5000000000', stored: '0.5000000000' },
      { write: '"1.25"', read: '1.2500000000', stored: '1.2500000000' },
    ],
    refused: ['100000000000000000000', '"x"'],
  },
  {
    column: 'c_float',
    type: 'float',
    values: [
      { write: '0.1', stored: '0.1' },
      { write: '-1.5', stored: '-1.5' },
      { write: '0', stored: '0' },
    ],
    refused: ['"x"', '1e39'],
  },
  {
    column: 'c_double',
    type: 'double',
    values: [
      { write: '0.1', stored: '0.1' },
      { write: '1.7976931348623157e308', stored: '1.7976931348623157e308' },
      { write: '-5e-324', stored: '-5e-324' },
      { write: '0.30000000000000004', stored: '0.30000000000000004' },
    ],
    refused: ['"x"', '1e309'],
  },
  {
    column: 'c_bit1',
    type: 'bit(1)',
    select: 'BIN(c_bit1 + 0)',
    values: [
      { write: 'true', stored: '1' },
      { write: 'false', stored: '0' },
    ],
    refused: ['2'],
  },
  {
    column: 'c_bit64',
    type: 'bit(64)',
    select: 'CAST(c_bit64 + 0 AS CHAR)',
    values: [
      { write: '18446744073709551615', stored: '18446744073709551615' },
      { write: '0', stored: '0' },
      { write: '9007199254740993', stored: '9007199254740993' },
    ],
    refused: ['-1', '18446744073709551616'],
  },
  {
    column: 'c_char',
    type: 'char(10)',
    values: [
      { write: text('ten chars!'), stored: 'ten chars!' },
      { write: text(''), stored: '' },
      { write: text('😀'), stored: '😀' },
    ],
    refused: [text('eleven char'), '7', 'true'],
  },
  {
    column: 'c_varchar',
    type: 'varchar(100)',
    values: [
      {
        write: text('quote " back \\ slash / \u0001 \u2028'),
        stored: 'quote " back \\ slash / \u0001 \u2028',
      },
      { write: text("'; DROP TABLE x; --"), stored: "'; DROP TABLE x; --" },
      { write: text('x'.repeat(100)), stored: 'x'.repeat(100) },
      { write: text('7'), stored: '7' },
    ],
    refused: [text('x'.repeat(101)), '7'],
  },
  {
    column: 'c_text',
    type: 'text',
    values: [
      { write: text(long), stored: long },
      { write: text('\n\r\t\b\f\u0000'), stored: '\n\r\t\b\f\u0000' },
    ],
    refused: [text('x'.repeat(65_536)), '[]'],
  },
  {
    column: 'c_longtext',
    type: 'longtext',
    values: [{ write: text('é'.repeat(200_000)), stored: 'é'.repeat(200_000) }],
    refused: ['{}'],
  },
  {
    column: 'c_enum',
    type: "enum('small','it''s, large','')",
    values: [
      { write: text('small'), stored: 'small' },
      { write: text("it's, large"), stored: "it's, large" },
      { write: text(''), stored: '' },
    ],
    refused: [text('medium'), text('9'), '9', 'true'],
  },
  {
    column: 'c_set',
    type: "set('red','green','blue')",
    values: [
      { write: '["red","blue"]', stored: 'red,blue' },
      { write: '[]', stored: '' },
    ],
    refused: ['["pink"]', '7.5'],
  },
  {
    column: 'c_date',
    type: 'date',
    values: [
      { write: text('2024-02-29'), stored: '2024-02-29' },
      { write: text('9999-12-31'), stored: '9999-12-31' },
      { write: text('1000-01-01'), stored: '1000-01-01' },
    ],
    refused: [text('2023-02-29'), text('yesterday'), '7'],
  },
  {
    column: 'c_datetime',
    type: 'datetime',
    values: [
      { write: text('2024-02-29T23:59:59'), stored: '2024-02-29 23:59:59' },
      {
        write: text('2024-02-29 23:59:59'),
        read: text('2024-02-29T23:59:59'),
        stored: '2024-02-29 23:59:59',
      },
      {
        write: text('2024-03-01T01:00:00+02:00'),
        read: text('2024-02-29T23:00:00'),
        stored: '2024-02-29 23:00:00',
      },
    ],
    refused: [text('2024-02-30T00:00:00'), text('x')],
  },
  {
    column: 'c_datetime6',
    type: 'datetime(6)',
    values: [
      { write: text('9999-12-31T23:59:59.999999'), stored: '9999-12-31 23:59:59.999999' },
      {
        write: text('2024-01-01T00:00:00'),
        read: text('2024-01-01T00:00:00.000000'),
        stored: '2024-01-01 00:00:00.000000',
      },
    ],
    refused: [text('24:00')],
  },
  {
    column: 'c_timestamp',
    type: 'timestamp NULL',
    values: [
      { write: text('2024-06-01T12:00:00Z'), stored: '2024-06-01 12:00:00' },
      {
        write: text('2024-06-01T14:00:00+02:00'),
        read: text('2024-06-01T12:00:00Z'),
        stored: '2024-06-01 12:00:00',
      },
      { write: text('2038-01-19T03:14:07Z'), stored: '2038-01-19 03:14:07' },
    ],
    refused: [text('1969-01-01T00:00:00Z')],
  },
  {
    column: 'c_time',
    type: 'time(3)',
    values: [
      { write: text('838:59:59.000'), stored: '838:59:59.000' },
      { write: text('-838:59:59.000'), stored: '-838:59:59.000' },
      { write: text('12:34:56.789'), stored: '12:34:56.789' },
    ],
    refused: [text('839:00:00'), text('x')],
  },
  {
    column: 'c_year',
    type: 'year',
    values: [
      { write: '1901', stored: '1901' },
      { write: '2155', stored: '2155' },
    ],
    refused: ['2156', '1800', text('x')],
  },
  {
    column: 'c_json',
    type: 'json',
    values: [
      { write: '{"a":[1,2,{"b":null}]}', stored: '{"a":[1,2,{"b":null}]}' },
      { write: '12345678901234567890', stored: '12345678901234567890' },
      { write: '"text"', stored: '"text"' },
      { write: '[]', stored: '[]' },
      { write: 'false', stored: 'false' },
    ],
    refused: [],
  },
  {
    column: 'c_binary',
    type: 'binary(4)',
    select: 'HEX(c_binary)',
    values: [{ write: text('AP8Q/w=='), stored: '00FF10FF' }],
    refused: [text('not base64!'), '7'],
  },
  {
    column: 'c_blob',
    type: 'blob',
    select: 'HEX(c_blob)',
    values: [
      { write: text('AAECAwQF'), stored: '000102030405' },
      { write: text(''), stored: '' },
    ],
    refused: [text('%%%')],
  },
  {
    column: 'c_uuid',
    type: 'uuid',
    values: [
      { write: text('123e4567-e89b-12d3-a456-426614174000'), stored: '123e4567-e89b-12d3-a456-426614174000' },
    ],
    refused: [text('123e4567'), '7'],
  },
  {
    column: 'c_inet6',
    type: 'inet6',
    values: [{ write: text('2001:db8::ff00:42:8329'), stored: '2001:db8::ff00:42:8329' }],
    refused: [text('2001:db8::zz')],
  },
];

/**
 * @param {string} column
 * @param {string} type
 * @param {string} min
 * @param {string} max
 * @param {string[]} rejected
 * @returns {TypeCase}
 */
function integers(column, type, min, max, rejected) {
  return {
    column,
    type,
    values: [min, max, '0'].map((value) => ({ write: value, stored: value })),
    refused: rejected,
  };
}

export const EVERY_TYPE_TABLE = 'every_types';

/** Returns SQL for the table. `c_varchar` is NOT NULL with a default, and every other column is nullable. */
export function everyTypeSql() {
  const columns = TYPE_CASES.map(
    ({ column, type }) => `${column} ${type}${/NULL$/.test(type) ? '' : ' NULL'}`,
  );
  return `CREATE TABLE ${EVERY_TYPE_TABLE} (id int AUTO_INCREMENT PRIMARY KEY, ${columns.join(', ')})`;
}
