import {
  integerRange,
  isWide,
  mapTables,
  type CompiledColumn,
  type CompiledTable,
  type Steps,
} from '@rowhouse/schema-model';
import type { SchemaNames } from '../openapi/to-schema-names.js';
import { isOmitted, isWritable } from './to-typescript-type.js';

const FORMATS: Readonly<Record<string, string>> = {
  email: 'z.email()',
  uri: 'z.url()',
  uuid: 'z.guid()',
  date: 'z.iso.date()',
  'date-time': 'z.iso.datetime({ offset: true, local: true })',
  ipv4: 'z.ipv4()',
  ipv6: 'z.ipv6()',
  hostname: 'z.string()',
};

/**
 * Emits zod 4 schemas. Those for reading have no bounds, and those for writing have the bounds of the
 * columns. The compiler checks each against its type.
 */
export function* emitZodSchemas(
  tables: readonly CompiledTable[],
  names: ReadonlyMap<CompiledTable, SchemaNames>,
): Steps<string> {
  const types = tables.flatMap((table) => listTypes(table, names.get(table)?.one ?? ''));
  const isGeometric = tables.some((table) => table.columns.some((column) => column.valueKind === 'geometry'));
  return [
    '',
    "import { z } from 'zod';",
    ...(types.length === 0
      ? []
      : [
          `import type { ${[...types, ...(isGeometric ? ['GeoJson'] : [])].sort().join(', ')} } from './types.js';`,
        ]),
    '',
    ...(types.length === 0 ? ['export const zodVersion = z.core.version;', ''] : []),
    ...(isGeometric ? ['const geoJson: z.ZodType<GeoJson> = z.looseObject({ type: z.string() });', ''] : []),
    ...(yield* mapTables(tables, (table) => emitTableSchemas(table, names.get(table)?.one ?? ''))),
  ].join('\n');
}

function listTypes(table: CompiledTable, item: string): string[] {
  return table.kind === 'view' ? [item] : [item, `${item}Create`, `${item}Update`];
}

function emitTableSchemas(table: CompiledTable, item: string): string {
  const schema = (type: string, kind: string, members: readonly string[]): string =>
    `export const zod${type} = z.${kind}({\n${members.map((member) => `  ${member},\n`).join('')}}) satisfies z.ZodType<${type}>;\n`;
  const read = schema(
    item,
    'object',
    table.shown.map(
      (column) => `[${JSON.stringify(column.name)}]: ${toNullable(column, toReadSchema(column))}`,
    ),
  );
  if (table.kind === 'view') return read;
  const writable = table.columns.filter(isWritable);
  const changed = writable.filter((column) => table.rowKey?.includes(column) !== true);
  return [
    read,
    schema(
      `${item}Create`,
      'strictObject',
      writable.map(
        (column) =>
          `[${JSON.stringify(column.name)}]: ${toNullable(column, toWriteSchema(column))}${isOmitted(column) ? '.optional()' : ''}`,
      ),
    ),
    schema(
      `${item}Update`,
      'strictObject',
      changed.map(
        (column) =>
          `[${JSON.stringify(column.name)}]: ${toNullable(column, toWriteSchema(column))}.optional()`,
      ),
    ),
  ].join('\n');
}

function toNullable(column: CompiledColumn, schema: string): string {
  return column.nullable ? `${schema}.nullable()` : schema;
}

function toReadSchema(column: CompiledColumn): string {
  if (column.valueKind === 'decimal') return 'z.string()';
  if (isWide(column)) return 'z.bigint()';
  return toPlainSchema(column);
}

function toWriteSchema(column: CompiledColumn): string {
  switch (column.valueKind) {
    case 'integer':
      return toIntegerSchema(column);
    case 'year':
      return 'z.int().min(1901).max(2155)';
    case 'bit':
      return isWide(column)
        ? 'z.union([z.bigint().nonnegative(), z.int().nonnegative()])'
        : `z.int().min(0).max(${2 ** (column.precision ?? 1) - 1})`;
    case 'decimal':
      return 'z.union([z.string().regex(/^-?\\d+(?:\\.\\d+)?$/), z.number()])';
    case 'string': {
      const isShort = ['char', 'varchar', 'tinytext'].includes(column.type) && column.maxLength !== null;
      // zod counts UTF-16 code units, while the database counts characters, which may have two code units.
      const length = isShort
        ? `.refine((text) => [...text].length <= ${column.maxLength}, { error: 'at most ${column.maxLength} characters' })`
        : '';
      return `${column.format === null ? 'z.string()' : (FORMATS[column.format] ?? 'z.string()')}${length}`;
    }
    default:
      return toPlainSchema(column);
  }
}

function toIntegerSchema(column: CompiledColumn): string {
  if (isWide(column))
    return column.unsigned
      ? 'z.union([z.bigint().nonnegative(), z.int().nonnegative()])'
      : 'z.union([z.bigint(), z.int()])';
  const { low, high } = integerRange(column);
  return `z.int().min(${column.autoIncrement ? 1n : low}).max(${high})`;
}

function toPlainSchema(column: CompiledColumn): string {
  const labels =
    column.labels === null || column.labels.length === 0
      ? 'z.string()'
      : `z.enum(${JSON.stringify(column.labels)})`;
  switch (column.valueKind) {
    case 'integer':
    case 'year':
    case 'bit':
      return 'z.int()';
    case 'float':
    case 'double':
      return 'z.number()';
    case 'boolean':
      return 'z.boolean()';
    case 'enum':
      return labels;
    case 'set':
      return `z.array(${labels})`;
    case 'vector':
      return 'z.array(z.number())';
    case 'geometry':
      return 'geoJson';
    case 'json':
      return 'z.unknown()';
    default:
      return 'z.string()';
  }
}
