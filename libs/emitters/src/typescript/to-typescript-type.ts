import { isFilledUuid, isWide, type CompiledColumn } from '@rowhouse/schema-model';

/** Names that are no plain identifiers stand between quotes. */
export function toPropertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : JSON.stringify(name);
}

export function isWritable(column: CompiledColumn): boolean {
  return column.generated === null;
}

/** Whether a create may do without it. */
export function isLeftOut(column: CompiledColumn): boolean {
  return !column.required || isFilledUuid(column);
}

/** What the client answers: wide integers as `bigint`, decimals as text with their exact digits. */
export function toReadType(column: CompiledColumn): string {
  const type = toPlainType(column);
  return column.nullable && type !== 'unknown' ? `${type} | null` : type;
}

/** What a write takes. */
export function toWriteType(column: CompiledColumn): string {
  const plain = toPlainType(column);
  const type = isWide(column) ? 'bigint | number' : column.valueKind === 'decimal' ? 'string | number' : plain;
  return column.nullable && type !== 'unknown' ? `${type} | null` : type;
}

function toPlainType(column: CompiledColumn): string {
  switch (column.valueKind) {
    case 'integer': case 'bit':
      return isWide(column) ? 'bigint' : 'number';
    case 'float': case 'double': case 'year':
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
  return column.labels === null || column.labels.length === 0 ? 'string' : column.labels.map((label) => JSON.stringify(label)).join(' | ');
}
