import type { CompiledTable } from '@rowhouse/schema-model';
import { json, refTo, type JsonObject } from './openapi-types.js';
import { isFitName } from './member-names.js';
import { toCreateExample, toUpdateExample } from './to-example.js';
import { emitRelatedChanges } from './related-members.js';
import { toKeySchema } from './table-schemas.js';
import type { SchemaNames } from './to-schema-names.js';

/**
 * Emits the responses that several operations of a table share: a record, a list, and the results of creates
 * and of writes by filter.
 */
export function emitTableAnswers(
  table: CompiledTable,
  { one: item }: SchemaNames,
): Record<string, JsonObject> {
  const record = refTo('schemas', item);
  return {
    [item]: {
      description: 'The record.',
      headers: headers(...(hasNewKeys(table) ? ['Location'] : []), 'ETag', 'X-Truncated'),
      content: json(record),
    },
    [`${item}List`]: {
      description: 'An array of records.',
      headers: headers('Link', 'X-Has-More', 'X-Next-Cursor', 'X-Total-Count', 'X-Truncated'),
      content: json({ type: 'array', items: record }),
    },
    [`${item}Created`]: {
      description: 'The stored record, or an array of the stored records in the order of the request.',
      headers: headers('Location', 'ETag'),
      content: json(toCreated(table, record)),
    },
    [`${item}Updated`]: {
      description: 'The number of changed records, or the records.',
      content: json({ oneOf: [refTo('schemas', 'Updated'), { type: 'array', items: record }] }),
    },
  };
}

/** Reports whether an update can change the key of a record, and therefore its path. */
function hasNewKeys(table: CompiledTable): boolean {
  return table.rowKey?.some((column) => !column.autoIncrement) === true;
}

/** A schema that no value matches. Several client generators do not accept `false` as a schema. */
const NEVER: JsonObject = { not: {} };

/** Emits the request bodies of a table's creates and updates. */
export function emitTableBodies(
  table: CompiledTable,
  { one: item }: SchemaNames,
): Record<string, JsonObject> {
  if (table.kind !== 'table' || !table.verbs.includes('write')) return {};
  const body = refTo('schemas', `${item}Create`);
  return {
    [`${item}Create`]: {
      description: 'A record, or an array of up to 10,000 records.',
      required: true,
      content: json(
        { oneOf: [body, { type: 'array', items: body, minItems: 1, maxItems: 10_000 }] },
        toCreateExample(table),
      ),
    },
    [`${item}Update`]: {
      description: 'The columns to change.',
      required: true,
      content: json(refTo('schemas', `${item}Update`), toUpdateExample(table)),
    },
    [`${item}Change`]: {
      description: 'The columns to change. Key columns cannot be changed.',
      required: true,
      content: json({ allOf: [refTo('schemas', `${item}Update`), toChange(table)] }),
    },
  };
}

/**
 * Returns the schema for an update of many records. It requires at least one column, because an empty body is
 * a mistake, and does not allow key columns.
 */
function toChange(table: CompiledTable): JsonObject {
  const names = [
    ...(table.rowKey ?? []).map(({ name }) => name),
    ...emitRelatedChanges(table).map(([name]) => name),
  ].filter(isFitName);
  const keys = names.map((name) => [name, NEVER] as const);
  return { minProperties: 1, ...(keys.length === 0 ? {} : { properties: Object.fromEntries(keys) }) };
}

/**
 * Returns the schema of a create's result. If the API key has no right to read, the result is the record's
 * key. If the table has no key, the result is a count.
 */
function toCreated(table: CompiledTable, record: JsonObject): JsonObject {
  if (table.rowKey === null) return refTo('schemas', 'Created');
  const provided = table.verbs.includes('read') ? record : toKeySchema(table.rowKey);
  return { oneOf: [provided, { type: 'array', items: provided }] };
}

/**
 * Returns references to response headers. `Preference-Applied` and `Idempotent-Replayed` are described with
 * the request headers that cause them.
 */
export function headers(...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name.replaceAll('-', ''))]));
}
