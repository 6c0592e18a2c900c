import {
  isFilledUuid,
  type CompiledColumn,
  type CompiledRelationship,
  type CompiledTable,
} from '@rowhouse/schema-model';
import { describeColumn, describeDefault, describeGiven } from './describe-column.js';
import { toProperties } from './member-names.js';
import { refTo, type JsonObject, type OpenApiOptions } from './openapi-types.js';
import { emitRelatedChanges, emitRelatedMembers } from './related-members.js';
import { toColumnSchema } from './to-column-schema.js';
import type { SchemaNames } from './to-schema-names.js';

type Names = ReadonlyMap<CompiledTable, SchemaNames>;

const INCREMENTED: ReadonlySet<string> = new Set(['integer', 'decimal', 'float', 'double']);

/**
 * Emits the components of one table by name: its record, and the bodies of creates and updates that the
 * rights allow.
 */
export function emitTableSchemas(
  table: CompiledTable,
  names: Names,
  options: OpenApiOptions,
): Record<string, JsonObject> {
  const item = names.get(table)?.one ?? table.name;
  const schemas: Record<string, JsonObject> = { [item]: emitRecord(table, names) };
  if (table.kind === 'view' || !table.verbs.includes('write')) return schemas;
  schemas[`${item}Create`] = emitCreate(table, item, options);
  if (table.rowKey !== null || table.verbs.includes('read'))
    schemas[`${item}Update`] = emitUpdate(table, item, options);
  return schemas;
}

/**
 * Emits the schema of a record. JSON columns are not `required`: zod infers members of any value as optional,
 * and the generated types must match.
 */
function emitRecord(table: CompiledTable, names: Names): JsonObject {
  return {
    type: 'object',
    description: describeTable(table),
    ...toProperties(
      [
        ...table.shown.map(
          (column) => [column.name, described(withoutBounds(column), describeColumn(table, column))] as const,
        ),
        ...readableRelationships(table).map(
          (compiledRelationship) =>
            [compiledRelationship.name, emitRelationship(compiledRelationship, names)] as const,
        ),
      ],
      table.shown.filter(({ valueKind }) => valueKind !== 'json').map((column) => column.name),
    ),
  };
}

/** Returns the schema of a column in responses, without bounds. Stored values always satisfy them. */
function withoutBounds(column: CompiledColumn): JsonObject {
  const { minimum: _, maximum: __, 'x-decimals': ___, ...rest } = toColumnSchema(column);
  return rest;
}

/**
 * Returns the relationships that a key with these rights may include. It must have the right to read every
 * table on the path.
 */
export function readableRelationships(table: CompiledTable): readonly CompiledRelationship[] {
  return table.relationships.filter(
    ({ target, link }) =>
      target.verbs.includes('read') && (link === null || link.table.verbs.includes('read')),
  );
}

/** Returns the schema of a create's result for an API key without the right to read. */
export function toKeySchema(rowKey: readonly CompiledColumn[]): JsonObject {
  return {
    type: 'object',
    description: 'The key of the new record.',
    ...toProperties(
      rowKey.map((column) => [column.name, toColumnSchema(column)] as const),
      rowKey.map((column) => column.name),
    ),
  };
}

function emitRelationship(relationship: CompiledRelationship, names: Names): JsonObject {
  const target = refTo('schemas', names.get(relationship.target)?.one ?? relationship.target.name);
  const description = `Only with include=${relationship.name}.`;
  if (relationship.kind === 'to_one') return { description, oneOf: [target, { type: 'null' }] };
  return { description, type: 'array', items: target };
}

function emitCreate(table: CompiledTable, item: string, options: OpenApiOptions): JsonObject {
  const columns = writableColumns(table);
  const required = columns
    .filter((column) => column.required && !isFilledUuid(column))
    .map((column) => column.name);
  const describe = (column: CompiledColumn): string => {
    const whenOmitted = isFilledUuid(column) ? 'A new UUID if omitted.' : describeDefault(column);
    return whenOmitted === '' ? describeGiven(table, column) : whenOmitted;
  };
  return {
    type: 'object',
    description: `A new record of ${table.name}. ${item} describes the columns.`,
    ...toProperties(
      [
        ...columns.map(
          (column) => [column.name, described(toGivenSchema(column), describe(column))] as const,
        ),
        ...emitRelatedMembers(table),
      ],
      required,
    ),
    ...strictness(options),
  };
}

/**
 * Returns the schema of a column in a create. It excludes 0 for AUTO_INCREMENT columns, because the engines
 * replace 0 with the next number.
 */
function toGivenSchema(column: CompiledColumn): JsonObject {
  return column.autoIncrement ? { ...toColumnSchema(column), minimum: 1 } : toColumnSchema(column);
}

function emitUpdate(table: CompiledTable, item: string, options: OpenApiOptions): JsonObject {
  const emit = (column: CompiledColumn): JsonObject => {
    const schema = toColumnSchema(column);
    if (table.rowKey?.includes(column) === true)
      return described(
        schema,
        column.autoIncrement
          ? 'The value in the path.'
          : 'The value in the path, or a new value, which changes the URL of the record.',
      );
    return INCREMENTED.has(column.valueKind) ? { anyOf: [schema, refTo('schemas', 'Increment')] } : schema;
  };
  return {
    type: 'object',
    description:
      `The columns of ${table.name} to change. Omitted columns keep their values. ${item} ` +
      'describes the columns.',
    ...toProperties([
      ...writableColumns(table).map((column) => [column.name, emit(column)] as const),
      ...emitRelatedChanges(table),
    ]),
    ...strictness(options),
  };
}

function writableColumns(table: CompiledTable): readonly CompiledColumn[] {
  return table.columns.filter((column) => !column.hidden && column.generated === null);
}

function strictness(options: OpenApiOptions): JsonObject {
  return options.settings.unknown_fields === 'reject' ? { additionalProperties: false } : {};
}

function described(schema: JsonObject, description: string): JsonObject {
  return description === '' ? schema : { ...schema, description };
}

export function describeTable(table: CompiledTable): string {
  const comment = table.source.comment.trim();
  return comment === '' || comment === 'VIEW' ? `One record of the ${table.kind} ${table.name}.` : comment;
}
