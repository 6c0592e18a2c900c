import { rawColumn } from '@rowhouse/schema-model/testing';
import { toValueKind, type Column } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { toColumnSchema } from './to-column-schema.js';

function column(sqlType: string, changes: Partial<Column> = {}): Column {
  const raw = rawColumn('c', sqlType, changes);
  return { ...raw, format: null, valueKind: toValueKind(raw.type, sqlType), ...changes };
}

describe('toColumnSchema', () => {
  it.each<[string, Partial<Column>, object]>([
    ['int(11)', {}, { type: 'integer', format: 'int32' }],
    ['int(10) unsigned', {}, { type: 'integer', format: 'int64', minimum: 0, maximum: 4294967295 }],
    ['tinyint(4)', {}, { type: 'integer', format: 'int32', minimum: -128, maximum: 127 }],
    ['smallint(5) unsigned', {}, { type: 'integer', format: 'int32', minimum: 0, maximum: 65535 }],
    ['bigint(20) unsigned', {}, { type: 'integer', format: 'int64', minimum: 0 }],
    ['bigint(20)', {}, { type: 'integer', format: 'int64' }],
    ['decimal(10,2)', {}, { type: 'number', minimum: -99999999.99, maximum: 99999999.99, 'x-decimals': 2 }],
    ['decimal(5,0) unsigned', {}, { type: 'number', minimum: 0, maximum: 99999, 'x-decimals': 0 }],
    ['decimal(65,30)', {}, { type: 'number', 'x-decimals': 30 }],
    ['double', {}, { type: 'number', format: 'double' }],
    ['tinyint(1)', {}, { type: 'boolean' }],
    ['bit(8)', {}, { type: 'integer', minimum: 0, maximum: 255 }],
    ['bit(64)', {}, { type: 'integer', minimum: 0 }],
    ['varchar(50)', {}, { type: 'string', maxLength: 50 }],
    ['varchar(255)', { format: 'email' }, { type: 'string', maxLength: 255, format: 'email' }],
    ['text', {}, { type: 'string' }],
    ['tinytext', { maxLength: 255 }, { type: 'string', maxLength: 255 }],
    ["enum('a','b')", {}, { type: 'string', enum: ['a', 'b'] }],
    [
      "enum('a','b')",
      { nullable: true },
      { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
    ],
    ["set('a','b')", {}, { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true }],
    ['date', {}, { type: 'string', format: 'date' }],
    ['datetime', {}, { type: 'string', format: 'date-time-local' }],
    ['timestamp', { nullable: true }, { type: ['string', 'null'], format: 'date-time' }],
    ['time', {}, { type: 'string', pattern: '^-?[0-9]{2,3}:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?$' }],
    ['year(4)', {}, { type: 'integer', minimum: 1901, maximum: 2155 }],
    ['json', { nullable: true }, {}],
    ['json', {}, { not: { type: 'null' } }],
    ['blob', {}, { type: 'string', contentEncoding: 'base64' }],
    ['uuid', {}, { type: 'string', format: 'uuid' }],
    ['inet4', {}, { type: 'string', format: 'ipv4' }],
    ['inet6', {}, { type: 'string', format: 'ipv6' }],
    ['vector(3)', {}, { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 }],
    ['varbinary(20)', {}, { type: 'string', contentEncoding: 'base64', maxLength: 28 }],
    ['point', {}, { $ref: '#/components/schemas/GeoJsonPoint' }],
    [
      'geometry',
      { nullable: true },
      { anyOf: [{ $ref: '#/components/schemas/GeoJsonGeometry' }, { type: 'null' }] },
    ],
  ])('toColumnSchema returns the JSON schema of a column %s with %j', (sqlType, changes, expected) => {
    expect(toColumnSchema(column(sqlType, changes))).toEqual(expected);
  });
});
