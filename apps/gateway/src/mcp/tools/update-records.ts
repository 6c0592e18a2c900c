import { isJsonObject, serializeJson, type JsonObject, type JsonValue } from '@rowhouse/rest-engine';
import { LIMITS } from '../../limits/limits.js';
import { readArguments, recordPath, tablePath, type ArgumentReader } from '../argument-reader.js';
import { callInternally, toTable } from '../call-internally.js';
import type { DataTool, ToolUse } from '../data-tool.js';
import {
  DRY_RUN,
  FILTER,
  ID,
  IDEMPOTENCY_KEY,
  MAX_AFFECTED,
  tableArgument,
  toTool,
} from '../tool-schemas.js';
import {
  filteredWritePreferences,
  sendOperations,
  toWriteResult,
  listBodies,
  toOperation,
} from '../write-result.js';

const ARGUMENTS = ['table', 'records', 'filter', 'values', 'max_affected', 'dry_run', 'idempotency_key'];

export const UPDATE_RECORDS: DataTool = {
  name: 'update_records',
  describe(offer) {
    const tables = offer.tablesFor('write');
    if (tables.length === 0) return null;
    return toTool({
      name: 'update_records',
      title: 'Update records',
      description:
        'Updates records of one table, all or none. Send `records` with ids, or `filter` and ' +
        '`values` to update all that match. Omitted columns keep their values. {"stock":{"$inc":-1}} ' +
        'adds to a number.',
      properties: {
        table: tableArgument(tables),
        records: {
          type: 'array',
          minItems: 1,
          maxItems: LIMITS.batchOperationsMax,
          items: {
            type: 'object',
            required: ['id', 'values'],
            additionalProperties: false,
            properties: {
              id: ID,
              values: { type: 'object' },
              if_match: { type: 'string', description: 'Update only if the record still has this etag' },
            },
          },
        },
        filter: FILTER,
        values: { type: 'object', description: 'With filter: the columns to update' },
        max_affected: MAX_AFFECTED,
        dry_run: DRY_RUN,
        idempotency_key: IDEMPOTENCY_KEY,
      },
      required: ['table'],
      result: { records: { type: 'array' }, updated: { type: 'integer' } },
      effect: 'changes',
    });
  },
  run(use, args) {
    const reader = readArguments(args, ARGUMENTS);
    return reader.value('records') === null ? updateByFilter(use, reader) : updateById(use, reader);
  },
};

async function updateById(use: ToolUse, reader: ArgumentReader): Promise<JsonObject> {
  const table = reader.requiredText('table');
  for (const name of ['filter', 'values', 'max_affected'])
    if (reader.value(name) !== null) reader.reject(name, 'cannot be combined with records');
  const records = reader.objects('records', LIMITS.batchOperationsMax) ?? [];
  const operations = records.map((record) => toUpdate(table, record, reader));
  const response = await sendOperations(use, reader, operations);
  return toWriteResult(response, {
    counted: 'updated',
    sent: operations.length,
    records: listBodies(response.body),
  });
}

function toUpdate(table: string, record: JsonObject, reader: ArgumentReader): JsonValue {
  for (const name of record.keys())
    if (!['id', 'values', 'if_match'].includes(name))
      reader.reject(
        'records',
        `accepts only id, values and if_match for each record. Move ${name} into values`,
      );
  const values = record.get('values') ?? null;
  if (!isJsonObject(values))
    reader.reject('records', 'must have values for each record: {"id":1,"values":{"column":"new"}}');
  return toOperation(
    'PATCH',
    recordPath(table, record.get('id'), reader, 'records'),
    values,
    record.get('if_match') ?? null,
  );
}

async function updateByFilter(use: ToolUse, reader: ArgumentReader): Promise<JsonObject> {
  const path = tablePath(reader.requiredText('table'));
  const filter = reader.object('filter');
  const values = reader.object('values');
  if (reader.value('filter') === null || reader.value('values') === null)
    reader.reject('records', 'is required, unless you send filter and values');
  const preferences = filteredWritePreferences(reader);
  const response = await callInternally(
    use,
    {
      method: 'PATCH',
      path,
      parameters: { _filter: serializeJson(filter) },
      ...preferences,
      body: values ?? new Map(),
    },
    toTable,
  );
  return toWriteResult(response, { counted: 'updated', sent: 0, records: response.body });
}
