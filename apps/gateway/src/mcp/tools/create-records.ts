import type { JsonObject } from '@rowhouse/rest-engine';
import { LIMITS } from '../../limits/limits.js';
import { readArguments, tablePath } from '../argument-reader.js';
import { callInternally, toTable } from '../call-internally.js';
import type { DataTool } from '../data-tool.js';
import { DRY_RUN, IDEMPOTENCY_KEY, tableArgument, toTool } from '../tool-schemas.js';
import { toWriteResult, writePreferences } from '../write-result.js';

export const CREATE_RECORDS: DataTool = {
  name: 'create_records',
  describe(offer) {
    const tables = offer.tablesFor('write');
    if (tables.length === 0) return null;
    return toTool({
      name: 'create_records',
      title: 'Create records',
      description:
        'Creates records in one table, all or none, and returns them with ids and defaults. Nest ' +
        'related new records under the name of a relationship.',
      properties: {
        table: tableArgument(tables),
        records: {
          type: 'array',
          items: { type: 'object' },
          minItems: 1,
          maxItems: LIMITS.rowsPerBulkMax,
          description: '[{"column":value}]. get_schema lists columns and types',
        },
        on_conflict: {
          type: 'array',
          items: { type: 'string' },
          description: 'Columns of a unique key: update the record with the same values',
        },
        dry_run: DRY_RUN,
        idempotency_key: IDEMPOTENCY_KEY,
      },
      required: ['table', 'records'],
      result: { records: { type: 'array' }, created: { type: 'integer' } },
      effect: 'adds',
    });
  },
  async run(use, args): Promise<JsonObject> {
    const reader = readArguments(args, ['table', 'records', 'on_conflict', 'dry_run', 'idempotency_key']);
    const path = tablePath(reader.requiredText('table'));
    const records = reader.objects('records', LIMITS.rowsPerBulkMax);
    if (reader.value('records') === null) reader.reject('records', 'is required');
    const parameters = { _on_conflict: reader.texts('on_conflict')?.join(',') ?? null };
    const preferences = writePreferences(reader);
    reader.done();
    const response = await callInternally(
      use,
      { method: 'POST', path, parameters, ...preferences, body: records ?? [] },
      toTable,
    );
    return toWriteResult(response, {
      counted: 'created',
      sent: records?.length ?? 0,
      records: response.body,
    });
  },
};
