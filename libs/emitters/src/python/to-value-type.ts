import type { CompiledColumn } from '@rowhouse/schema-model';
import { toPythonString, type PythonImports } from './python-text.js';

/**
 * Returns the Python type of a column's values, without None.
 *
 * @param labels the name of the type with the column's labels
 */
export function toValueType(
  column: CompiledColumn,
  labels: string | undefined,
  imports: PythonImports,
): string {
  switch (column.valueKind) {
    case 'integer':
    case 'year':
    case 'bit':
      return 'int';
    case 'float':
    case 'double':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'decimal':
      return imports.name('decimal', 'Decimal');
    case 'string':
      return 'str';
    case 'enum':
      return labels ?? 'str';
    case 'set':
      return `set[${labels ?? 'str'}]`;
    case 'vector':
      return 'list[float]';
    case 'geometry':
      return `dict[str, ${imports.name('typing', 'Any')}]`;
    case 'json':
      return imports.name('typing', 'Any');
    case 'uuid':
      return imports.name('uuid', 'UUID');
    case 'inet':
      return imports.name('ipaddress', column.type === 'inet4' ? 'IPv4Address' : 'IPv6Address');
    case 'date':
    case 'datetime':
    case 'timestamp':
    case 'time':
      imports.module('import datetime as dt');
      return { date: 'dt.date', datetime: 'dt.datetime', timestamp: 'dt.datetime', time: 'dt.timedelta' }[
        column.valueKind
      ];
    case 'binary':
      return 'bytes';
  }
}

/**
 * Returns the type of a field in a Pydantic class. The types in `base.py` convert values to and from JSON.
 */
export function toSchemaType(
  column: CompiledColumn,
  labels: string | undefined,
  imports: PythonImports,
): string {
  const named = {
    datetime: 'NaiveDateTime',
    timestamp: 'UtcDateTime',
    time: 'Duration',
    binary: 'Base64',
  } as const;
  const { valueKind } = column;
  if (valueKind === 'datetime' || valueKind === 'timestamp' || valueKind === 'time' || valueKind === 'binary')
    return imports.name('.base', named[valueKind]);
  return toValueType(column, labels, imports);
}

/**
 * Returns the type of a column's labels, such as `Literal["a", "b"]`. Returns null for a column without
 * labels.
 */
export function toLabelsType(column: CompiledColumn, imports: PythonImports): string | null {
  if (column.labels === null || column.labels.length === 0) return null;
  return `${imports.name('typing', 'Literal')}[${column.labels.map(toPythonString).join(', ')}]`;
}
