import { integerRange, type CompiledColumn } from '@rowhouse/schema-model';
import { FORMAT_NAMES } from './text-patterns.js';
import type { PythonImports, PythonOptions } from './python-text.js';

export const LIMITED_BYTES: readonly string[] = ['binary', 'varbinary', 'tinyblob'];

/** Returns the arguments of `Field` that limit a written value to what the column accepts. */
export function toFieldBounds(
  column: CompiledColumn,
  target: PythonOptions['pydantic'],
  imports: PythonImports,
): string[] {
  switch (column.valueKind) {
    case 'integer':
      return toIntegerBounds(column);
    case 'year':
      return ['ge=1901', 'le=2155'];
    case 'bit':
      return ['ge=0', `le=${2n ** BigInt(column.precision ?? 64) - 1n}`];
    case 'decimal':
      return [
        `max_digits=${column.precision ?? 10}`,
        `decimal_places=${column.scale ?? 0}`,
        ...(column.unsigned ? ['ge=0'] : []),
      ];
    case 'float':
    case 'double':
      return column.unsigned ? ['ge=0'] : [];
    case 'string':
      return [
        ...toLengths(column, ['char', 'varchar', 'tinytext']),
        ...(column.format === null
          ? []
          : [
              `${target === '1' ? 'regex' : 'pattern'}=${imports.name('.base', FORMAT_NAMES[column.format])}`,
            ]),
      ];
    case 'binary':
      // In Pydantic 1, the type contains the length.
      return target === '1' ? [] : toLengths(column, LIMITED_BYTES);
    case 'vector':
      return toVectorLength(column, target);
    default:
      return [];
  }
}

function toIntegerBounds(column: CompiledColumn): string[] {
  const { low, high } = integerRange(column);
  // The engines replace 0 in an AUTO_INCREMENT column with the next number.
  return [`ge=${column.autoIncrement ? 1n : low}`, `le=${high}`];
}

function toLengths(column: CompiledColumn, types: readonly string[]): string[] {
  return types.includes(column.type) && column.maxLength !== null ? [`max_length=${column.maxLength}`] : [];
}

function toVectorLength(column: CompiledColumn, target: PythonOptions['pydantic']): string[] {
  const length = Number(/\((\d+)\)/.exec(column.sqlType)?.[1] ?? 0);
  if (length === 0) return [];
  return target === '1'
    ? [`min_items=${length}`, `max_items=${length}`]
    : [`min_length=${length}`, `max_length=${length}`];
}
