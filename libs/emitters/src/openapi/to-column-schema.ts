import type { Column } from '@rowhouse/schema-model';
import type { Json, JsonObject } from './openapi-types.js';

/** The JSON Schema (2020-12) of what the wire carries for a column; `null` is among it where the column is nullable. */
export function toColumnSchema(column: Column): JsonObject {
  const schema = toValueSchema(column);
  if (!column.nullable || schema['type'] === undefined) return schema;
  const labels = schema['enum'];
  return {
    ...schema,
    type: [schema['type'], 'null'] as readonly Json[],
    ...(Array.isArray(labels) ? { enum: [...(labels as readonly Json[]), null] } : {}),
  };
}

/** As `toColumnSchema`, without null: what a filter compares with. */
export function toValueSchema(column: Column): JsonObject {
  switch (column.valueKind) {
    case 'integer':
      return toInteger(column);
    case 'year':
      return { type: 'integer' };
    case 'bit':
      return { type: 'integer', minimum: 0 };
    case 'decimal':
      return { type: 'number', ...(column.unsigned ? { minimum: 0 } : {}) };
    case 'float':
    case 'double':
      return { type: 'number', format: column.valueKind };
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return { type: 'string', ...(column.labels === null ? {} : { enum: column.labels }) };
    case 'set':
      return { type: 'array', items: { type: 'string', ...(column.labels === null ? {} : { enum: column.labels }) }, uniqueItems: true };
    case 'string':
      return { type: 'string', ...toTextBounds(column) };
    case 'vector':
      return { type: 'array', items: { type: 'number' } };
    case 'geometry':
      return { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] };
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
    case 'time':
      // No format of JSON Schema means a moment without a zone, or a length of time.
      return { type: 'string' };
    case 'binary':
      return { type: 'string', contentEncoding: 'base64' };
  }
}

/** Widths that JavaScript and most languages hold are `int32`. */
function toInteger(column: Column): JsonObject {
  const isWide = column.type === 'bigint' || (column.type === 'int' && column.unsigned);
  return { type: 'integer', format: isWide ? 'int64' : 'int32', ...(column.unsigned ? { minimum: 0 } : {}) };
}

/** The lengths of TEXT types are bytes and so large that they say nothing. */
function toTextBounds(column: Column): JsonObject {
  const isShort = column.type === 'char' || column.type === 'varchar';
  return {
    ...(isShort && column.maxLength !== null ? { maxLength: column.maxLength } : {}),
    ...(column.format === null ? {} : { format: column.format }),
  };
}
