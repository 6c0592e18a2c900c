import { serializeJson, type JsonObject, type JsonValue } from '@rowhouse/rest-engine';
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
import { filteredWritePreferences, sendOperations, toWriteResult, toOperation } from '../write-result.js';

const ARGUMENTS = ['table', 'ids', 'if_match', 'filter', 'max_affected', 'dry_run', 'idempotency_key'];

export const DELETE_RECORDS: DataTool = {
  name: 'delete_records',
  describe(offer) {
    const tables = offer.tablesFor('delete');
    if (tables.length === 0) return null;
    return toTool({
      name: 'delete_records',
      title: 'Delete records',
      description:
        'Deletes records of one table, all or none. Send `ids`, or `filter` to delete all that ' +
        'match. Foreign keys may delete or change related records too.',
      properties: {
        table: tableArgument(tables),
        ids: { type: 'array', minItems: 1, maxItems: LIMITS.batchOperationsMax, items: ID },
        if_match: {
          type: 'string',
          description: 'With one id: delete only if the record still has this etag',
        },
        filter: FILTER,
        max_affected: MAX_AFFECTED,
        dry_run: DRY_RUN,
        idempotency_key: IDEMPOTENCY_KEY,
      },
      required: ['table'],
      result: { deleted: { type: 'integer' } },
      effect: 'changes',
    });
  },
  run(use, args) {
    const reader = readArguments(args, ARGUMENTS);
    return reader.value('ids') === null ? deleteByFilter(use, reader) : deleteById(use, reader);
  },
};

async function deleteById(use: ToolUse, reader: ArgumentReader): Promise<JsonObject> {
  const table = reader.requiredText('table');
  for (const name of ['filter', 'max_affected'])
    if (reader.value(name) !== null) reader.reject(name, 'cannot be combined with ids');
  const ids = reader.values('ids', LIMITS.batchOperationsMax) ?? [];
  const ifMatch = reader.text('if_match');
  if (ifMatch !== null && ids.length !== 1) reader.reject('if_match', 'needs exactly one id');
  const operations: JsonValue[] = ids.map((id) =>
    toOperation('DELETE', recordPath(table, id, reader, 'ids'), null, ifMatch),
  );
  const response = await sendOperations(use, reader, operations);
  return toWriteResult(response, { counted: 'deleted', sent: operations.length, records: null });
}

async function deleteByFilter(use: ToolUse, reader: ArgumentReader): Promise<JsonObject> {
  const path = tablePath(reader.requiredText('table'));
  const filter = reader.object('filter');
  if (reader.value('filter') === null) reader.reject('ids', 'is required, unless you send filter');
  const preferences = filteredWritePreferences(reader);
  const response = await callInternally(
    use,
    { method: 'DELETE', path, parameters: { _filter: serializeJson(filter) }, ...preferences },
    toTable,
  );
  return toWriteResult(response, { counted: 'deleted', sent: 0, records: response.body });
}
