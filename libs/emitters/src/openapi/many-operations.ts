import type { CompiledTable } from '@rowhouse/schema-model';
import { describeErrors, json, refTo, type JsonObject } from './openapi-types.js';
import { emitCreatedAfter, emitFullText } from './table-parameters.js';
import type { SchemaNames } from './to-schema-names.js';

const TEXT = `Requires at least one filter. ${describeErrors(409)}`;

/**
 * Emits the operations that write all records matching filters. They require the right to read, because
 * filters reveal stored values.
 */
export function emitManyOperations(table: CompiledTable, names: SchemaNames): Record<string, JsonObject> {
  if (table.kind !== 'table' || !table.verbs.includes('read')) return {};
  const put = emitMany(table, `updateMany${names.many}`, 'Change', emitChange(names));
  const patch = emitMany(table, `patchMany${names.many}`, 'Change', emitChange(names));
  const removed = emitMany(table, `deleteMany${names.many}`, 'Delete', {
    responses: { 200: emitDeleted(names), 422: refTo('responses', 'ValidationError') },
  });
  return {
    ...(table.verbs.includes('write') && hasChangeable(table) ? { put, patch } : {}),
    ...(table.verbs.includes('delete') ? { delete: removed } : {}),
  };
}

/**
 * Reports whether the table has columns that an update by filter can change. Key columns cannot be changed.
 */
function hasChangeable(table: CompiledTable): boolean {
  return table.columns.some(
    (column) => !column.hidden && column.generated === null && table.rowKey?.includes(column) !== true,
  );
}

function emitChange(names: SchemaNames): JsonObject {
  return {
    requestBody: refTo('requestBodies', `${names.one}Change`),
    responses: { 200: refTo('responses', `${names.one}Updated`), 422: refTo('responses', 'ValidationError') },
  };
}

function emitDeleted(names: SchemaNames): JsonObject {
  return {
    description: 'The number of deleted records, or the records before the delete.',
    content: json({
      oneOf: [refTo('schemas', 'Deleted'), { type: 'array', items: refTo('schemas', names.one) }],
    }),
  };
}

function emitMany(table: CompiledTable, operationId: string, what: string, rest: JsonObject): JsonObject {
  return {
    tags: [table.name],
    operationId,
    summary: `${what} records of ${table.name} by filter`,
    description: TEXT,
    parameters: [
      refTo('parameters', 'filters'),
      refTo('parameters', 'filter'),
      refTo('parameters', 'where'),
      ...emitCreatedAfter(table),
      ...emitFullText(table),
      refTo('parameters', 'idempotencyKey'),
      refTo('parameters', 'preferMany'),
    ],
    ...rest,
  };
}
