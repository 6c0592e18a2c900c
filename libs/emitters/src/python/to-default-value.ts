import type { CompiledColumn } from '@rowhouse/schema-model';
import { toPythonString, type PythonImports } from './python-text.js';

/** Returns a literal default in Python, or null when only the database can evaluate it. */
export function toDefaultValue(column: CompiledColumn, imports: PythonImports): string | null {
  if (column.default.kind !== 'literal') return null;
  const { text } = column.default;
  switch (column.valueKind) {
    case 'integer':
    case 'year':
      return /^-?\d{1,20}$/.test(text) ? String(BigInt(text)) : null;
    case 'boolean':
      return toBoolean(text);
    case 'decimal':
      return /^-?\d+(?:\.\d+)?$/.test(text)
        ? `${imports.name('decimal', 'Decimal')}(${toPythonString(text)})`
        : null;
    case 'float':
    case 'double':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? toFloat(text) : null;
    case 'string':
      return toPythonString(text);
    case 'enum':
      return column.labels?.includes(text) === true ? toPythonString(text) : null;
    default:
      return null;
  }
}

function toBoolean(text: string): string | null {
  if (/^(?:1|b'1')$/.test(text)) return 'True';
  return /^(?:0|b'0')$/.test(text) ? 'False' : null;
}

function toFloat(text: string): string {
  return text.includes('.') ? text : `${text}.0`;
}
