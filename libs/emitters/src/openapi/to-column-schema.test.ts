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
    ['int(10) unsigned', {}, { type: 'integer', format: 'int64', minimum: 0 }],
    ['bigint(20)', {}, { type: 'integer', format: 'int64' }],
    ['decimal(10,2)', {}, { type: 'number' }],
    ['double', {}, { type: 'number', format: 'double' }],
    ['tinyint(1)', {}, { type: 'boolean' }],
    ['bit(8)', {}, { type: 'integer', minimum: 0 }],
    ['varchar(50)', {}, { type: 'string', maxLength: 50 }],
    ['varchar(255)', { format: 'email' }, { type: 'string', maxLength: 255, format: 'email' }],
    ['text', {}, { type: 'string' }],
    ["enum('a','b')", {}, { type: 'string', enum: ['a', 'b'] }],
    ["enum('a','b')", { nullable: true }, { type: ['string', 'null'], enum: ['a', 'b', null] }],
    ["set('a','b')", {}, { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true }],
    ['date', {}, { type: 'string', format: 'date' }],
    ['datetime', {}, { type: 'string' }],
    ['timestamp', { nullable: true }, { type: ['string', 'null'], format: 'date-time' }],
    ['time', {}, { type: 'string' }],
    ['year(4)', {}, { type: 'integer' }],
    ['json', { nullable: true }, {}],
    ['blob', {}, { type: 'string', contentEncoding: 'base64' }],
    ['uuid', {}, { type: 'string', format: 'uuid' }],
    ['inet4', {}, { type: 'string', format: 'ipv4' }],
    ['inet6', {}, { type: 'string', format: 'ipv6' }],
    ['vector(3)', {}, { type: 'array', items: { type: 'number' } }],
    ['point', {}, { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] }],
  ])('describes %s %j', (sqlType, changes, expected) => {
    expect(toColumnSchema(column(sqlType, changes))).toEqual(expected);
  });
});
