import { toUrlPath, type CompiledTable } from '@rowhouse/schema-model';
import { API_PREFIX, refTo, type JsonObject, type OpenApiOptions } from './openapi-types.js';
import { emitKeyParameter, emitListParameters, emitReadParameters, toKeyName } from './table-parameters.js';
import { emitManyOperations } from './many-operations.js';
import type { SchemaNames } from './to-schema-names.js';

/** In words: a second type of content would be a second type of data for typed clients. */
const STREAM_TEXT = 'With Accept: application/x-ndjson or text/csv the records come one by one, all of them unless limit says otherwise.';
const COMMON_ERRORS = 'Other answers are components.schemas.Error: 401, 403, 429, 503.';

/** The paths of one table, as far as the rights go. */
export function emitTablePaths(table: CompiledTable, names: SchemaNames, options: OpenApiOptions): Record<string, JsonObject> {
  const path = `${API_PREFIX}/${toUrlPath(table.path)}`;
  const isWritable = table.kind === 'table' && table.verbs.includes('write');
  const list: JsonObject = {
    ...(table.verbs.includes('read') ? { get: emitList(table, names, options) } : {}),
    ...(isWritable ? { post: emitCreate(table, names) } : {}),
    ...emitManyOperations(table, names),
  };
  const paths: Record<string, JsonObject> = Object.keys(list).length === 0 ? {} : { [path]: list };
  if (table.rowKey === null) return paths;
  const record = emitRecordPath(table, names, isWritable);
  if (Object.keys(record).length > 0) {
    paths[`${path}/{${toKeyName(table)}}`] = { parameters: [emitKeyParameter(table)], ...record };
  }
  return paths;
}

function emitRecordPath(table: CompiledTable, names: SchemaNames, isWritable: boolean): JsonObject {
  return {
    ...(table.verbs.includes('read') ? { get: emitRead(table, names) } : {}),
    ...(isWritable ? { put: emitUpdate(table, names, 'put'), patch: emitUpdate(table, names, 'patch') } : {}),
    ...(table.kind === 'table' && table.verbs.includes('delete') ? { delete: emitDelete(table, names) } : {}),
  };
}

function emitList(table: CompiledTable, names: SchemaNames, options: OpenApiOptions): JsonObject {
  return operation(table, `list${names.many}`, `List ${table.name}`, `${STREAM_TEXT} ${COMMON_ERRORS}`, {
    parameters: emitListParameters(table, options),
    responses: {
      200: {
        description: 'The records, as a bare array.',
        headers: {
          Link: refTo('headers', 'Link'),
          'X-Has-More': refTo('headers', 'XHasMore'),
          'X-Next-Cursor': refTo('headers', 'XNextCursor'),
          'X-Total-Count': refTo('headers', 'XTotalCount'),
          'X-Truncated': refTo('headers', 'XTruncated'),
        },
        content: json({ type: 'array', items: refTo('schemas', names.one) }),
      },
      422: refTo('responses', 'ValidationError'),
    },
  });
}

function emitCreate(table: CompiledTable, names: SchemaNames): JsonObject {
  const body = refTo('schemas', `${names.one}Create`);
  const made = toCreated(table, names);
  return operation(table, `create${names.one}`, `Create a record of ${table.name}`, `An object creates one record, an array up to 10,000 in one transaction. ${COMMON_ERRORS} Also 409 for a duplicate or a foreign key.`, {
    parameters: [...(table.verbs.includes('read') ? [refTo('parameters', 'onConflict')] : []), refTo('parameters', 'idempotencyKey'), refTo('parameters', 'preferCreate')],
    requestBody: {
      description: 'The record, or an array of records.',
      required: true,
      content: json({ oneOf: [body, { type: 'array', items: body, minItems: 1, maxItems: 10_000 }] }),
    },
    responses: {
      ...(table.verbs.includes('read') ? { 200: { description: 'With _on_conflict: no record was new.', content: json(made) } } : {}),
      201: {
        description: 'The record as stored, or the array of them in the order of the request.',
        headers: { Location: refTo('headers', 'Location'), ETag: refTo('headers', 'ETag') },
        content: json(made),
      },
      422: refTo('responses', 'ValidationError'),
    },
  });
}

/** A key that may not read, or a table whose records have no key, gets the key or a count. */
function toCreated(table: CompiledTable, names: SchemaNames): JsonObject {
  if (table.rowKey === null) {
    return { type: 'object', description: 'How many records were created.', properties: { created: { type: 'integer' } }, required: ['created'] };
  }
  if (!table.verbs.includes('read')) return { description: "The new record's key, or an array of keys.", type: ['object', 'array'] };
  return { oneOf: [refTo('schemas', names.one), { type: 'array', items: refTo('schemas', names.one) }] };
}

function emitRead(table: CompiledTable, names: SchemaNames): JsonObject {
  return operation(table, `get${names.one}`, `Read one record of ${table.name}`, `${COMMON_ERRORS} Also 404 for an absent record.`, {
    parameters: emitReadParameters(table),
    responses: { 200: recordAnswer(names, 'The record.'), 422: refTo('responses', 'ValidationError') },
  });
}

function emitUpdate(table: CompiledTable, names: SchemaNames, method: 'put' | 'patch'): JsonObject {
  const id = method === 'put' ? `update${names.one}` : `patch${names.one}`;
  const canRead = table.verbs.includes('read');
  return operation(table, id, `Change one record of ${table.name}`, `PUT and PATCH alike: columns left out keep their values. ${COMMON_ERRORS} Also 404, 412, and 409 for a duplicate or a foreign key.`, {
    parameters: emitConditions(table),
    requestBody: { description: 'The columns to change.', required: true, content: json(refTo('schemas', `${names.one}Update`)) },
    responses: {
      200: canRead ? recordAnswer(names, 'The record as it is now.') : { description: 'Done.', content: json({ type: 'object' }) },
      422: refTo('responses', 'ValidationError'),
    },
  });
}

function emitDelete(table: CompiledTable, names: SchemaNames): JsonObject {
  return operation(table, `delete${names.one}`, `Delete one record of ${table.name}`, [describeCascades(table), COMMON_ERRORS, 'Also 404 for an absent record, 412, and 409 when a foreign key forbids it.'].filter((part) => part !== '').join(' '), {
    parameters: emitConditions(table),
    responses: { 204: { description: 'The record is gone.' }, 422: refTo('responses', 'ValidationError') },
  });
}

/** `If-Match` compares what is stored, so it is for keys that may read it. */
function emitConditions(table: CompiledTable): readonly JsonObject[] {
  return [...(table.verbs.includes('read') ? [refTo('parameters', 'ifMatch')] : []), refTo('parameters', 'idempotencyKey'), refTo('parameters', 'preferWrite')];
}

/** What goes along with a deleted record, in the tables that these rights can see. */
function describeCascades(table: CompiledTable): string {
  const effects: string[] = [];
  for (const name of table.schema.tableNames) {
    for (const key of table.schema.findByName(name)?.foreignKeys ?? []) {
      if (key.referencedTable !== table.name) continue;
      if (key.onDelete === 'CASCADE') effects.push(`deletes related ${name}`);
      else if (key.onDelete === 'SET NULL') effects.push(`sets ${name}.${key.columns.join(', ')} to null`);
    }
  }
  return effects.length === 0 ? '' : `Also ${[...new Set(effects)].join(', ')}.`;
}

function recordAnswer(names: SchemaNames, description: string): JsonObject {
  return { description, headers: { ETag: refTo('headers', 'ETag') }, content: json(refTo('schemas', names.one)) };
}

function operation(table: CompiledTable, operationId: string, summary: string, description: string, rest: JsonObject): JsonObject {
  return { tags: [table.name], operationId, summary, description, ...rest };
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}
