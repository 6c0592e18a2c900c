import { integerRange, type Column } from '@rowhouse/schema-model';
import { toGeometryName } from './geometry-schemas.js';
import { isFitName } from './member-names.js';
import { refTo, type Json, type JsonObject } from './openapi-types.js';

/** Returns the JSON Schema (2020-12) of a column's value, which may be `null` if the column is nullable. */
export function toColumnSchema(column: Column): JsonObject {
  const schema = toValueSchema(column);
  if (column.valueKind === 'json') return column.nullable ? schema : { not: { type: 'null' } };
  if (!column.nullable) return schema;
  // Generators of zod schemas do not accept null as a value of an `enum`.
  if (schema['type'] === undefined || schema['enum'] !== undefined)
    return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema['type'], 'null'] as readonly Json[] };
}

/** Returns the schema of a column's value without null. Filters compare with such a value. */
export function toValueSchema(column: Column): JsonObject {
  switch (column.valueKind) {
    case 'integer':
      return toInteger(column);
    case 'year':
      return { type: 'integer', minimum: 1901, maximum: 2155 };
    case 'bit':
      return { type: 'integer', minimum: 0, ...toBitsMax(column.precision) };
    case 'decimal':
      return toDecimal(column);
    case 'float':
    case 'double':
      return { type: 'number', format: column.valueKind, ...(column.unsigned ? { minimum: 0 } : {}) };
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return { type: 'string', ...toLabels(column.labels) };
    case 'set':
      return { type: 'array', items: { type: 'string', ...toLabels(column.labels) }, uniqueItems: true };
    case 'string':
      return { type: 'string', ...toTextBounds(column) };
    case 'vector':
      return { type: 'array', items: { type: 'number' }, ...toVectorBounds(column) };
    case 'geometry':
      return refTo('schemas', toGeometryName(column.type));
    case 'json':
      return {};
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'inet':
      return { type: 'string', format: column.type === 'inet4' ? 'ipv4' : 'ipv6' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'datetime':
      return { type: 'string', format: 'date-time-local' };
    case 'time':
      // A duration of up to 838 hours has no standard format in JSON Schema.
      return { type: 'string', pattern: '^-?[0-9]{2,3}:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?$' };
    case 'binary':
      return { type: 'string', contentEncoding: 'base64', ...toBytesBounds(column) };
  }
}

/**
 * Returns `enum` with the labels of a column, and identifiers for labels from which generators cannot derive
 * one.
 */
function toLabels(labels: readonly string[] | null): JsonObject {
  if (labels === null) return {};
  const names = labels.map((label) => label.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase());
  const isClear =
    new Set(names).size === names.length &&
    names.every((name) => /[A-Z0-9]/.test(name)) &&
    labels.every(isFitName);
  return {
    enum: labels,
    ...(isClear ? {} : { 'x-enum-varnames': labels.map((_, index) => `LABEL_${index + 1}`) }),
  };
}

/**
 * Returns the schema of an integer. `int32` is used for integers that JavaScript and most other languages
 * represent exactly. 64-bit integers get another format, because JSON parsers may not read them exactly. Both
 * formats imply bounds.
 */
function toInteger(column: Column): JsonObject {
  const { low, high } = integerRange(column);
  if (column.type === 'bigint')
    return { type: 'integer', format: 'int64', ...(column.unsigned ? { minimum: 0 } : {}) };
  if (column.unsigned)
    return {
      type: 'integer',
      format: column.type === 'int' ? 'int64' : 'int32',
      minimum: 0,
      maximum: Number(high),
    };
  return {
    type: 'integer',
    format: 'int32',
    ...(column.type === 'int' ? {} : { minimum: Number(low), maximum: Number(high) }),
  };
}

/** The number of decimal digits that a double always represents exactly. */
const EXACT_DIGITS = 15;

/**
 * Returns the schema of a decimal. `x-decimals` is the number of decimal places, beyond which values are
 * rejected. The standard keyword `multipleOf` is not used, because in most validators it fails for doubles.
 */
function toDecimal(column: Column): JsonObject {
  const precision = column.precision ?? 10;
  const scale = column.scale ?? 0;
  const maximum =
    precision > EXACT_DIGITS
      ? null
      : Number(`${'9'.repeat(precision - scale) || '0'}.${'9'.repeat(scale) || '0'}`);
  return {
    type: 'number',
    ...(column.unsigned ? { minimum: 0 } : maximum === null ? {} : { minimum: -maximum }),
    ...(maximum === null ? {} : { maximum: maximum }),
    'x-decimals': scale,
  };
}

function toBitsMax(bits: number | null): JsonObject {
  return bits === null || bits > 53 ? {} : { maximum: 2 ** bits - 1 };
}

/**
 * Returns the maximum length of a text. It is omitted for TEXT types other than the smallest, because their
 * lengths are in bytes and too large to be useful.
 */
function toTextBounds(column: Column): JsonObject {
  const isShort = column.type === 'char' || column.type === 'varchar' || column.type === 'tinytext';
  return {
    ...(isShort && column.maxLength !== null ? { maxLength: column.maxLength } : {}),
    ...(column.format === null ? {} : { format: column.format }),
  };
}

/**
 * Returns the maximum length of a binary value in base64, which has four characters for every three bytes.
 */
function toBytesBounds(column: Column): JsonObject {
  const isShort = column.type === 'binary' || column.type === 'varbinary' || column.type === 'tinyblob';
  return isShort && column.maxLength !== null ? { maxLength: 4 * Math.ceil(column.maxLength / 3) } : {};
}

function toVectorBounds(column: Column): JsonObject {
  const length = Number(/\((\d+)\)/.exec(column.sqlType)?.[1] ?? 0);
  return length === 0 ? {} : { minItems: length, maxItems: length };
}
