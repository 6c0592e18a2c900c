import { compileSnapshot, nameSnapshot, type CompiledColumn, type EngineKind } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { ALL } from '../../test/blog.js';
import { parseJson } from '../request/parse-json.js';
import { expandIpv6 } from './check-format.js';
import { coerceJson } from './coerce-json.js';
import { coerceText } from './coerce-text.js';
import type { Purpose } from './coerced.js';

/** Creates a column with a type as a server describes it. */
function column(
  sqlType: string,
  changes: Parameters<typeof rawColumn>[2] = {},
  engine: EngineKind = 'mariadb',
): CompiledColumn {
  const snapshot = nameSnapshot(
    { engine, tables: [rawTable('t', [rawColumn('id', 'int'), rawColumn('c', sqlType, changes)])] },
    null,
  );
  const found = compileSnapshot(snapshot, 1, ALL).findByName('t')?.findColumn('c');
  if (found === null || found === undefined) throw new Error('no column');
  return found;
}

const text = (sqlType: string, value: string, purpose: Purpose, changes = {}): unknown => {
  const coerced = coerceText(column(sqlType, changes), value, purpose);
  return coerced.kind === 'value'
    ? coerced.value instanceof Uint8Array
      ? [...coerced.value]
      : coerced.value
    : coerced.type;
};
const json = (sqlType: string, value: string): unknown => {
  const coerced = coerceJson(column(sqlType), parseJson(value));
  return coerced.kind === 'value' ? coerced.value : coerced.type;
};

describe('values that servers would change silently', () => {
  it.each([
    ['datetime', '2026-01-31T23:59:59.999999Z', '2026-01-31 23:59:59'],
    ['datetime(3)', '2026-01-31T23:59:59.9999Z', '2026-01-31 23:59:59.999'],
    ['datetime(6)', '2026-01-31T23:59:59.500000Z', '2026-01-31 23:59:59.5'],
    ['time', '-00:00:00.9', '00:00:00'],
    ['time(1)', '-001:00:00.96', '-01:00:00.9'],
    ['time(6)', '-00:00:00.000001', '-00:00:00.000001'],
  ])('a write to %s truncates %s to %s, and a filter keeps all digits', (type, value, written) => {
    expect(text(type, value, 'write')).toBe(written);
    expect(text(type, '2026-01-31T10:00:00.25'.slice(type.startsWith('time') ? 11 : 0), 'filter')).toMatch(
      /10:00:00\.25$/,
    );
  });

  it('a write rejects dates with a zero day and dates that do not exist', () => {
    for (const [value, expected] of [
      ['0000-00-00', ['date_parsing', '0000-00-00', '0000-00-00']],
      ['2024-05-00', ['date_parsing', '2024-05-00', '2024-05-00']],
      ['2024-02-31', ['date_parsing', 'date_parsing', '2024-02-31']],
      ['2024-13-01', ['date_parsing', 'date_parsing', 'date_parsing']],
    ] as const) {
      expect(
        (['write', 'filter', 'key'] as const).map((purpose) => text('date', value, purpose)),
        value,
      ).toEqual(expected);
    }
    expect(text('timestamp', '0000-00-00T00:00:00Z', 'filter')).toBe('0000-00-00 00:00:00');
    expect(text('timestamp', '0000-00-00T00:00:00+02:00', 'filter')).toBe('datetime_parsing');
  });

  it('a write removes trailing spaces for CHAR and keeps them for VARCHAR', () => {
    expect(['write', 'filter', 'key'].map((purpose) => text('char(5)', 'ab   ', purpose as Purpose))).toEqual(
      ['ab', 'ab', 'ab'],
    );
    expect(text('char(2)', 'ab  ', 'write')).toBe('ab');
    expect(text('varchar(5)', 'ab   ', 'write')).toBe('ab   ');
  });

  it.each([
    ['char(5)', `a${' '.repeat(1_000_000)}b`, 'string_too_long'],
    ['char(5)', ' '.repeat(1_000_000), ''],
    ["set('a','b')", 'a,'.repeat(2_000_000), 'too_long'],
    ['inet6', ':'.repeat(4_000_000), 'ip_parsing'],
    ['inet4', '1.'.repeat(2_000_000), 'ip_parsing'],
  ])('a write checks megabytes of text for %s in linear time', (type, value, expected) => {
    // The test measures time, because the steps of a regular expression cannot be counted. With quadratic
    // time, a text of this length takes minutes.
    const startedMs = performance.now();
    expect(text(type, value, 'write')).toBe(expected);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it('a write pads a value for BINARY(n) to n bytes', () => {
    expect(
      ['write', 'filter', 'key'].map((purpose) => text('binary(3)', 'AQ==', purpose as Purpose)),
    ).toEqual([
      [1, 0, 0],
      [1, 0, 0],
      [1, 0, 0],
    ]);
    expect(text('varbinary(3)', 'AQ==', 'write')).toEqual([1]);
  });

  it('a write rejects a year with two digits', () => {
    expect([
      text('year', '26', 'filter'),
      text('year', '26', 'key'),
      text('year', '1800', 'filter'),
      text('year', '0', 'filter'),
    ]).toEqual(['out_of_range', 'out_of_range', '1800', '0000']);
  });

  it('a write measures TEXT values in bytes only for UTF-8', () => {
    const long = 'é'.repeat(200);
    expect(text('tinytext', long, 'write', { maxLength: 255 })).toBe('string_too_long');
    expect(text('tinytext', long, 'write', { maxLength: 255, charset: 'latin1' })).toBe(long);
  });

  it("a write rejects characters that the column's character set would change", () => {
    expect(text('varchar(9)', '\u6661', 'write', { charset: 'cp932' })).toBe('charset');
    expect(text('varchar(9)', '\u{10041}', 'write', { charset: 'tis620' })).toBe('charset');
    expect(text('varchar(9)', '\u{10041}\u6661', 'write')).toBe('\u{10041}\u6661');
  });

  it('a write to FLOAT or DOUBLE with a scale rejects further decimal places', () => {
    expect(text('double(7,2)', '1.5', 'write', { scale: 2 })).toBe(1.5);
    expect(text('double(7,2)', '1.250', 'write', { scale: 2 })).toBe(1.25);
    expect(text('double(7,2)', '1.125', 'write', { scale: 2 })).toBe('decimal_places');
    expect(text('double(7,2)', '1.125', 'filter', { scale: 2 })).toBe(1.125);
    expect(text('double', '1.12345678', 'write')).toBe(1.12345678);
  });

  it('a write stores all notations of an IP address as one text', () => {
    expect(['::1', '0:0::0001', '0:0:0:0:0:0:0:1'].map(expandIpv6)).toEqual(
      Array.from({ length: 3 }, () => '0000:0000:0000:0000:0000:0000:0000:0001'),
    );
    expect(text('inet6', '::FFFF:10.0.0.1', 'write')).toBe(text('inet6', '10.0.0.1', 'filter'));
    expect(expandIpv6('1::')).toBe('0001:0000:0000:0000:0000:0000:0000:0000');
  });
});

describe('integers', () => {
  it.each([
    ['tinyint(4)', '-128', '127'],
    ['tinyint(3) unsigned', '0', '255'],
    ['smallint(6)', '-32768', '32767'],
    ['mediumint(8) unsigned', '0', '16777215'],
    ['int(11)', '-2147483648', '2147483647'],
    ['int(10) unsigned', '0', '4294967295'],
    ['bigint(20)', '-9223372036854775808', '9223372036854775807'],
    ['bigint(20) unsigned', '0', '18446744073709551615'],
    ['bit(2)', '0', '3'],
    ['bit(16)', '0', '65535'],
    ['bit(64)', '0', '18446744073709551615'],
  ])('a write to the column type %s accepts %s to %s and rejects values beyond', (type, low, high) => {
    const next = (value: string, by: bigint): string => String(BigInt(value) + by);
    for (const purpose of ['write', 'key'] as const) {
      expect([text(type, low, purpose), text(type, high, purpose)]).toEqual([low, high]);
      expect([text(type, next(low, -1n), purpose), text(type, next(high, 1n), purpose)]).toEqual([
        'out_of_range',
        'out_of_range',
      ]);
    }
    expect(json(type, high)).toBe(high);
  });

  it('all notations of an integer are stored as one text', () => {
    for (const [value, spelt] of [
      ['007', '7'],
      ['-0', '0'],
      ['-007', '-7'],
      ['0000000000000000000007', '7'],
      ['-00000000000000000000', '0'],
      ['999999999999999', '999999999999999'],
      ['1000000000000000', '1000000000000000'],
    ]) {
      expect(
        [text('bigint(20)', value as string, 'write'), text('bigint(20)', value as string, 'filter')],
        value,
      ).toEqual([spelt, spelt]);
    }
    expect([
      json('int(11)', '1.0'),
      json('int(11)', '-0.0'),
      json('int(11)', '1.5'),
      json('int(11)', '1e3'),
      json('int(11)', '15e-1'),
    ]).toEqual(['1', '0', 'int_parsing', '1000', 'int_parsing']);
    // A filter accepts values that this column cannot store, because another column could.
    expect([
      text('tinyint(4)', '300', 'filter'),
      text('tinyint(3) unsigned', '-5', 'filter'),
      text('tinyint(4)', '18446744073709551616', 'filter'),
    ]).toEqual(['300', '-5', 'out_of_range']);
  });
});

describe('GeoJSON', () => {
  it.each([
    ['point', '{"type":"Point","coordinates":[1,2.5e1]}'],
    ['geometry', '{"type":"LineString","coordinates":[[0,0],[1,1]]}'],
    ['polygon', '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0.0,0]]]}'],
    ['multipoint', '{"type":"MultiPoint","coordinates":[[0,0]]}'],
    ['multipolygon', '{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}'],
    ['geometrycollection', '{"type":"GeometryCollection","geometries":[]}'],
    ['geometry', '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}'],
  ])('the geometry column type %s accepts the value %s', (type, value) =>
    expect(json(type, value)).toBe(value),
  );

  it.each([
    ['point', '{}'],
    ['point', '{"type":"Point"}'],
    ['point', '{"type":"Point","coordinates":[]}'],
    ['point', '{"type":"Point","coordinates":[1,2,3]}'],
    ['point', '{"type":"Point","coordinates":["1",2]}'],
    ['point', '{"type":"Point","coordinates":[1e999,2]}'],
    ['point', '{"type":"LineString","coordinates":[[0,0],[1,1]]}'],
    ['linestring', '{"type":"LineString","coordinates":[[0,0]]}'],
    ['polygon', '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}'],
    ['polygon', '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}'],
    ['multipoint', '{"type":"MultiPoint","coordinates":[]}'],
    ['geometry', '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}'],
    ['geometry', '{"type":"Point","coordinates":[1,2],"crs":{}}'],
    ['geometry', '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1]}]}'],
    ['point', '"POINT(1 2)"'],
    ['geometry', '[1,2]'],
  ])('the geometry column type %s rejects the value %s', (type, value) =>
    expect(json(type, value)).toMatch(/^geometry_/),
  );
});

describe('JSON', () => {
  it('a JSON document that is deeper than the server accepts is rejected', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const own = column('longtext', { type: 'longtext' });
    const text = { ...own, valueKind: 'json' } as CompiledColumn;
    expect(coerceJson(text, parseJson(nested(31))).kind).toBe('value');
    expect(coerceJson(text, parseJson(nested(32)))).toMatchObject({ kind: 'refused', type: 'too_deep' });
    expect(json('json', nested(60))).toBe(nested(60));
  });
});

describe('VECTOR', () => {
  it('a vector with more numbers than its column is rejected', () => {
    expect(json('vector(2)', '[1,2]')).toBeInstanceOf(Uint8Array);
    expect([
      json('vector(2)', '[1,2,3]'),
      json('vector(2)', '[]'),
      json('vector(2)', '[1e39]'),
      json('vector(2)', '["1"]'),
    ]).toEqual(['too_long', 'vector', 'out_of_range', 'vector_type']);
  });
});
