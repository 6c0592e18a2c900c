import { API_PREFIX } from '@rowhouse/contracts';
import {
  memoizeByObject,
  type CompiledSnapshot,
  type CompiledTable,
  type ForeignKey,
} from '@rowhouse/schema-model';
import { emitManyOperations } from './many-operations.js';
import { describeErrors, refTo, type JsonObject, type OpenApiOptions } from './openapi-types.js';
import { emitKeyParameter, emitListParameters, emitReadParameters, toKeyName } from './table-parameters.js';
import type { SchemaNames } from './to-schema-names.js';

/** Matches characters that have a meaning in a path template or a URL, and control characters. */
const SYNTAX = /[%{}?#/\\\p{Cc}]/gu;

const LONG = '_tables/';

/**
 * Streams are described as text, because a second content type would give typed clients a second data type.
 */
const STREAM_TEXT = 'Streams the records with Accept: application/x-ndjson or text/csv.';
const INVALID = refTo('responses', 'ValidationError');

/** Emits one table's paths, as far as the rights allow them. */
export function emitTablePaths(
  table: CompiledTable,
  names: SchemaNames,
  options: OpenApiOptions,
): Record<string, JsonObject> {
  const path = `${API_PREFIX}/${toTemplatePath(table.path)}`;
  const isWritable = table.kind === 'table' && table.verbs.includes('write');
  const canRead = table.verbs.includes('read');
  const list: JsonObject = {
    ...(canRead ? { get: emitList(table, names, options) } : {}),
    ...(isWritable ? { post: emitCreate(table, names) } : {}),
    ...(isGuarded(table, options) ? {} : emitManyOperations(table, names)),
  };
  const paths: Record<string, JsonObject> = Object.keys(list).length === 0 ? {} : { [path]: list };
  // The path of this endpoint has one segment for the table, so it cannot address a table whose path has
  // several segments.
  if (canRead && !table.path.includes('/'))
    paths[`${API_PREFIX}/_search/${toTemplatePath(table.path)}`] = { post: emitSearch(table, names) };
  if (table.rowKey === null) return paths;
  const record = emitRecordPath(table, names, isWritable, options);
  if (Object.keys(record).length > 0) {
    paths[`${path}/{${toKeyName(table)}}`] = { parameters: [emitKeyParameter(table)], ...record };
  }
  return paths;
}

function emitRecordPath(
  table: CompiledTable,
  names: SchemaNames,
  isWritable: boolean,
  options: OpenApiOptions,
): JsonObject {
  return {
    ...(table.verbs.includes('read') ? { get: emitRead(table, names) } : {}),
    ...(isWritable
      ? { put: emitUpdate(table, names, 'put', options), patch: emitUpdate(table, names, 'patch', options) }
      : {}),
    ...(table.kind === 'table' && table.verbs.includes('delete')
      ? { delete: emitDelete(table, names, options) }
      : {}),
  };
}

function emitList(table: CompiledTable, names: SchemaNames, options: OpenApiOptions): JsonObject {
  return operation(table, `list${names.many}`, `List ${table.name}`, `${STREAM_TEXT} ${describeErrors()}`, {
    parameters: emitListParameters(table, options),
    responses: { 200: refTo('responses', `${names.one}List`), 422: INVALID },
  });
}

function emitSearch(table: CompiledTable, names: SchemaNames): JsonObject {
  return operation(
    table,
    `search${names.many}`,
    `Search ${table.name} with parameters in the body`,
    describeErrors(),
    {
      parameters: [refTo('parameters', 'preferRead')],
      requestBody: refTo('requestBodies', 'Search'),
      responses: { 200: refTo('responses', `${names.one}List`), 422: INVALID },
    },
  );
}

function emitCreate(table: CompiledTable, names: SchemaNames): JsonObject {
  const canRead = table.verbs.includes('read');
  const created = refTo('responses', `${names.one}Created`);
  return operation(
    table,
    `create${names.one}`,
    `Create ${table.name}`,
    'Takes one record, or up to 10,000 in one transaction, as JSON, NDJSON or CSV. ' +
      `${describeErrors(409)}`,
    {
      parameters: [
        ...(canRead ? [refTo('parameters', 'onConflict')] : []),
        refTo('parameters', 'idempotencyKey'),
        refTo('parameters', 'preferCreate'),
      ],
      requestBody: refTo('requestBodies', `${names.one}Create`),
      // With `_on_conflict`, the status is 200 if no record was created.
      responses: { ...(canRead ? { 200: created } : {}), 201: created, 422: INVALID },
    },
  );
}

function emitRead(table: CompiledTable, names: SchemaNames): JsonObject {
  return operation(table, `get${names.one}`, `Get one record of ${table.name}`, describeErrors(404), {
    parameters: emitReadParameters(table),
    responses: { 200: refTo('responses', names.one), 304: refTo('responses', 'NotModified'), 422: INVALID },
  });
}

function emitUpdate(
  table: CompiledTable,
  names: SchemaNames,
  method: 'put' | 'patch',
  options: OpenApiOptions,
): JsonObject {
  const id = method === 'put' ? `update${names.one}` : `patch${names.one}`;
  return operation(
    table,
    id,
    `Update one record of ${table.name}`,
    `Omitted columns keep their values. ${describeErrors(404, 409, 412)}`,
    {
      parameters: emitConditions(table, options),
      requestBody: refTo('requestBodies', `${names.one}Update`),
      // With `return=minimal`, and for API keys without the right to read, the status is 204.
      responses: {
        ...(table.verbs.includes('read') ? { 200: refTo('responses', names.one) } : {}),
        204: refTo('responses', 'Done'),
        422: INVALID,
      },
    },
  );
}

function emitDelete(table: CompiledTable, names: SchemaNames, options: OpenApiOptions): JsonObject {
  return operation(
    table,
    `delete${names.one}`,
    `Delete one record of ${table.name}`,
    [describeCascades(table), describeErrors(404, 409, 412)].filter((part) => part !== '').join(' '),
    {
      parameters: emitConditions(table, options),
      responses: { 204: refTo('responses', 'Done'), 422: INVALID },
    },
  );
}

/**
 * Reports whether the table requires `If-Match`. Writes by filter cannot have this header, so they are then
 * not available.
 */
function isGuarded(table: CompiledTable, options: OpenApiOptions): boolean {
  return options.settings.require_if_match?.includes(table.name) === true;
}

/**
 * Emits the headers for preconditions. They require the right to read, because they are compared with stored
 * values.
 */
function emitConditions(table: CompiledTable, options: OpenApiOptions): readonly JsonObject[] {
  const ifMatch = isGuarded(table, options) ? 'ifMatchRequired' : 'ifMatch';
  return [
    ...(table.verbs.includes('read') || isGuarded(table, options)
      ? [refTo('parameters', ifMatch), refTo('parameters', 'ifNoneMatch')]
      : []),
    refTo('parameters', 'idempotencyKey'),
    refTo('parameters', 'preferWrite'),
  ];
}

/** Describes the effects of a delete on records of other tables that the rights allow to see. */
function describeCascades(table: CompiledTable): string {
  const effects = (effectsOf(table.schema).get(table.name) ?? []).map(({ name, key }) =>
    key.onDelete === 'CASCADE' ? `deletes related ${name}` : `sets ${name}.${key.columns.join(', ')} to null`,
  );
  return effects.length === 0 ? '' : `Also ${[...new Set(effects)].join(', ')}.`;
}

interface Effect {
  readonly name: string;
  readonly key: ForeignKey;
}

/**
 * Returns the effects that deleting a record has on records that refer to it. The result is grouped by the
 * name of the deleted record's table.
 */
const effectsOf = memoizeByObject((schema: CompiledSnapshot): ReadonlyMap<string, readonly Effect[]> => {
  const effects = new Map<string, Effect[]>();
  for (const name of schema.tableNames) {
    for (const key of schema.findByName(name)?.foreignKeys ?? []) {
      if (key.onDelete !== 'CASCADE' && key.onDelete !== 'SET NULL') continue;
      const own = effects.get(key.referencedTable);
      if (own === undefined) effects.set(key.referencedTable, [{ name, key }]);
      else own.push({ name, key });
    }
  }
  return effects;
});

function operation(
  table: CompiledTable,
  operationId: string,
  summary: string,
  description: string,
  rest: JsonObject,
): JsonObject {
  return { tags: [table.name], operationId, summary, description, ...rest };
}

/**
 * Returns a table's path as a key of `paths`. Letters of all languages are not escaped: Spectral and
 * openapi-typescript misread keys with percent escapes, and clients escape URLs themselves.
 */
function toTemplatePath(path: string): string {
  const head = path.startsWith(LONG) ? LONG : '';
  return head + path.slice(head.length).replace(SYNTAX, (found) => encodeURIComponent(found));
}
