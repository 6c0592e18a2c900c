import type { CompiledTable } from '@rowhouse/schema-model';
import { refTo, type JsonObject } from './openapi-types.js';
import type { SchemaNames } from './to-schema-names.js';

const TEXT =
  'The filters are those of the list, one at least. Other answers are components.schemas.Error: 401, 403, 409 when more records match than ' +
  'max-affected allows, 429, 503.';

/** Writes of every record that filters find. Finding is reading, so they are for keys that may do both. */
export function emitManyOperations(table: CompiledTable, names: SchemaNames): Record<string, JsonObject> {
  if (table.kind !== 'table' || !table.verbs.includes('read')) return {};
  return {
    ...(table.verbs.includes('write') ? { put: emitUpdateMany(table, names, 'put'), patch: emitUpdateMany(table, names, 'patch') } : {}),
    ...(table.verbs.includes('delete') ? { delete: emitMany(table, names, `deleteMany${names.many}`, 'Delete records', 'deleted', {}) } : {}),
  };
}

function emitUpdateMany(table: CompiledTable, names: SchemaNames, method: 'put' | 'patch'): JsonObject {
  const schema = refTo('schemas', `${names.one}Update`);
  const requestBody = { description: 'The columns to change.', required: true, content: { 'application/json': { schema } } };
  return emitMany(table, names, `${method === 'put' ? 'update' : 'patch'}Many${names.many}`, 'Change records', 'updated', { requestBody });
}

function emitMany(table: CompiledTable, names: SchemaNames, operationId: string, what: string, count: 'updated' | 'deleted', rest: JsonObject): JsonObject {
  const counted = { type: 'object', description: 'How many.', properties: { [count]: { type: 'integer' } }, required: [count] };
  const schema = { oneOf: [counted, { type: 'array', items: refTo('schemas', names.one) }] };
  return {
    tags: [table.name],
    operationId,
    summary: `${what} of ${table.name} by filter`,
    description: TEXT,
    parameters: [refTo('parameters', 'operators'), refTo('parameters', 'filter'), refTo('parameters', 'idempotencyKey'), refTo('parameters', 'preferMany')],
    ...rest,
    responses: { 200: { description: 'How many, or the records themselves.', content: { 'application/json': { schema } } }, 422: refTo('responses', 'ValidationError') },
  };
}
