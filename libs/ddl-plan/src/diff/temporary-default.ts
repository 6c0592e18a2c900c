import type { Column, EngineKind } from '@rowhouse/schema-model';
import { quoteText } from '../sql-text.js';

/**
 * Returns the value that existing rows get in a new required column. It is also the default as long as
 * requests planned on the old snapshot omit the column. It is the value that the server itself uses without
 * strict mode: 0, '' or the first label.
 */
export function temporaryDefault(column: Column, engine: EngineKind): string {
  const text = plainDefault(column);
  // MySQL accepts a default for TEXT, BLOB, JSON and GEOMETRY only if it is an expression.
  const asExpression = engine === 'mysql' && /text$|blob$|^json$/.test(column.type);
  return asExpression ? `(${text})` : text;
}

function plainDefault(column: Column): string {
  switch (column.valueKind) {
    case 'integer':
    case 'decimal':
    case 'float':
    case 'double':
    case 'boolean':
    case 'bit':
      return '0';
    case 'enum':
      return quoteText(column.labels?.[0] ?? '');
    case 'date':
      return "'1970-01-01'";
    case 'datetime':
      return "'1970-01-01 00:00:00'";
    case 'timestamp':
      return "'1970-01-01 00:00:01'";
    case 'time':
      return "'00:00:00'";
    case 'year':
      return "'1970'";
    case 'json':
      return "'null'";
    case 'uuid':
      return "'00000000-0000-0000-0000-000000000000'";
    case 'inet':
      return column.type === 'inet4' ? "'0.0.0.0'" : "'::'";
    default:
      return "''";
  }
}

/**
 * Reports whether the type has a value that can be a temporary default. VECTOR and GEOMETRY have none, so a
 * required column of these types can be added only to an empty table.
 */
export function hasTemporaryDefault(column: Column): boolean {
  return column.valueKind !== 'vector' && column.valueKind !== 'geometry';
}

/** Returns the column's definition with the temporary default. */
export function withTemporaryDefault(column: Column, engine: EngineKind): string {
  const value = temporaryDefault(column, engine);
  return /\bNOT NULL\b/.test(column.definition)
    ? column.definition.replace(/\bNOT NULL\b/, `NOT NULL DEFAULT ${value.replaceAll('$', '$$$$')}`)
    : `${column.definition} DEFAULT ${value.replaceAll('$', '$$$$')}`;
}
