import { isJsonObject, type JsonObject, type JsonValue } from '@rowhouse/rest-engine';
import { LIMITS } from '../../limits/limits.js';
import { readArguments } from '../argument-reader.js';
import { callInternally, rejectTooLarge, toQuery } from '../call-internally.js';
import type { DataTool } from '../data-tool.js';
import { MAX_AFFECTED, toTool } from '../tool-schemas.js';
import { OMITTED } from '../write-result.js';

const ROWS_DEFAULT = 100;
const WRITES = new Set(['insert', 'update', 'delete']);
/** The members of the verbose response that are useful to a model. */
const SHOWN = [
  'row_count',
  'truncated',
  'source',
  'sql',
  'params',
  'explanation',
  'assumptions',
  'warnings',
  'success',
  'affected_rows',
  'insert_id',
];

export const QUERY_DATABASE: DataTool = {
  name: 'query_database',
  describe(offer) {
    if (!offer.hasScope('query') || offer.tablesFor('read').length === 0) return null;
    const isWriter =
      offer.hasScope('query:write') &&
      (offer.tablesFor('write').length > 0 || offer.tablesFor('delete').length > 0);
    return toTool({
      name: 'query_database',
      title: 'Query the database',
      description:
        `Runs one SQL ${isWriter ? 'SELECT, INSERT, UPDATE or DELETE with WHERE' : 'SELECT'} (MySQL ` +
        'dialect), or answers a question in plain English and returns its SQL.',
      properties: {
        query: {
          type: 'string',
          description:
            'SELECT … with ? or :name for values, or a question: "how many were created per month since ' +
            'March"',
        },
        params: {
          type: ['array', 'object'],
          items: {},
          description: 'Values for ? (array) or :name (object)',
        },
        limit: { type: 'integer', minimum: 1, maximum: LIMITS.queryRowsMax, default: ROWS_DEFAULT },
        dry_run: { type: 'boolean', description: 'Check it and return its SQL without running it' },
        ...(isWriter ? { max_affected: MAX_AFFECTED } : {}),
      },
      required: ['query'],
      result: {
        rows: { type: 'array' },
        row_count: { type: 'integer' },
        truncated: { type: 'boolean' },
        sql: { type: 'string' },
      },
      effect: isWriter ? 'changes' : 'reads',
    });
  },
  async run(use, args): Promise<JsonObject> {
    const reader = readArguments(args, ['query', 'params', 'limit', 'dry_run', 'max_affected']);
    const body = new Map<string, JsonValue>([
      ['query', reader.requiredText('query')],
      ['verbose', true],
      ['dry_run', reader.flag('dry_run')],
    ]);
    const limit = reader.integer('limit', 1, LIMITS.queryRowsMax) ?? ROWS_DEFAULT;
    body.set('limit', { kind: 'number', text: String(limit) });
    const params = reader.value('params');
    if (params !== null) body.set('params', params);
    const maximum = reader.integer('max_affected', 1, LIMITS.rowsPerFilteredWriteMax);
    reader.done();
    const response = await callInternally(
      use,
      { method: 'POST', path: '/query', prefer: maximum === null ? [] : [`max-affected=${maximum}`], body },
      toQuery,
    );
    // The change was made, even if its rows are too large to return. An error would suggest the opposite.
    if (response.isTooLarge && WRITES.has(use.request.trace.read().plan))
      return new Map<string, JsonValue>([
        ['success', true],
        ['left_out', OMITTED],
      ]);
    rejectTooLarge(response);
    const reported = isJsonObject(response.body) ? response.body : new Map<string, JsonValue>();
    const visible = SHOWN.flatMap((name) => {
      const value = reported.get(name) ?? null;
      return value === null || (Array.isArray(value) && value.length === 0) ? [] : [[name, value] as const];
    });
    return new Map<string, JsonValue>([
      ...(reported.has('data') ? [['rows', reported.get('data') ?? null] as const] : []),
      ...visible,
    ]);
  },
};
