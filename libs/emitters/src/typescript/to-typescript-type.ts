import { isFilledUuid, isWide, type CompiledColumn } from '@rowhouse/schema-model';

/** Returns the name of a property, in quotes unless it is a plain identifier. */
export function toPropertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : JSON.stringify(name);
}

export function isWritable(column: CompiledColumn): boolean {
  return column.generated === null;
}

/** Reports whether a create may omit the column. */
export function isOmitted(column: CompiledColumn): boolean {
  return !column.required || isFilledUuid(column);
}

/**
 * Returns the TypeScript type of a column's value in responses. Integers that a number cannot represent
 * exactly are `bigint`. Decimals are strings with all digits.
 */
export function toReadType(column: CompiledColumn): string {
  const type = toPlainType(column);
  return column.nullable && type !== 'unknown' ? `${type} | null` : type;
}

/** Returns the TypeScript type of a column's value in a write. */
export function toWriteType(column: CompiledColumn): string {
  const plain = toPlainType(column);
  const type = isWide(column)
    ? 'bigint | number'
    : column.valueKind === 'decimal'
      ? 'string | number'
      : plain;
  return column.nullable && type !== 'unknown' ? `${type} | null` : type;
}

function toPlainType(column: CompiledColumn): string {
  switch (column.valueKind) {
    case 'integer':
    case 'bit':
      return isWide(column) ? 'bigint' : 'number';
    case 'float':
    case 'double':
    case 'year':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'enum':
      return toLabels(column);
    case 'set':
      return `(${toLabels(column)})[]`;
    case 'vector':
      return 'number[]';
    case 'geometry':
      return 'GeoJson';
    case 'json':
      return 'unknown';
    default:
      return 'string';
  }
}

function toLabels(column: CompiledColumn): string {
  return column.labels === null || column.labels.length === 0
    ? 'string'
    : column.labels.map((label) => JSON.stringify(label)).join(' | ');
}
