import { serializeJson, type JsonObject, type JsonValue } from '@rowhouse/rest-engine';
import { LIMITS } from '../../limits/limits.js';
import { readArguments, recordPath, tablePath, type ArgumentReader } from '../argument-reader.js';
import { callInternally, rejectTooLarge, toTable, type InternalResponse } from '../call-internally.js';
import type { DataTool, ToolUse } from '../data-tool.js';
import { ID, tableArgument, toTool } from '../tool-schemas.js';

const RECORDS_DEFAULT = 50;
const ARGUMENTS = [
  'table',
  'id',
  'filter',
  'fields',
  'sort',
  'include',
  'search',
  'limit',
  'offset',
  'count',
];
/** The arguments that are allowed only for lists of records. */
const OF_LISTS = ['filter', 'sort', 'search', 'limit', 'offset', 'count'];

export const READ_RECORDS: DataTool = {
  name: 'read_records',
  describe(offer) {
    const tables = offer.tablesFor('read');
    if (tables.length === 0) return null;
    return toTool({
      name: 'read_records',
      title: 'Read records',
      description:
        'Reads one record by id, or the records of a table that match a filter. Can include related ' +
        'records.',
      properties: {
        table: tableArgument(tables),
        id: ID,
        filter: {
          type: 'object',
          description:
            'Selects records: ' +
            '{"status":"open","age__gte":18,"name__like":"A%","id__in":[1,2],"deleted_at__isnull":true,"at__gt":{"$expr":"NOW() ' +
            '- INTERVAL 7 DAY"},"or":[{…},{…}],"not":{…},"{relationship}":{"some":{…}}}',
        },
        fields: {
          type: 'array',
          items: { type: 'string' },
          description: 'Default: all. ["label:name","data->a.b","_etag"] (_etag is the version)',
        },
        sort: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Columns, with - for descending, :nulls_first or :nulls_last: ["-at","data->a.b:nulls_last"]',
        },
        include: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Relationships to include: ["a","b.c"]. ["count:a"] returns the number; sort by it as count_a',
        },
        search: { type: 'string', description: 'Words to find with the full-text index of the table' },
        limit: { type: 'integer', minimum: 1, maximum: LIMITS.rowsPerPageMax, default: RECORDS_DEFAULT },
        offset: { type: 'integer', minimum: 0, description: 'next_offset of the previous result' },
        count: { type: 'boolean', description: 'Also the total' },
      },
      required: ['table'],
      result: {
        records: { type: 'array' },
        record: { type: 'object' },
        has_more: { type: 'boolean' },
        total: { type: 'integer' },
      },
      effect: 'reads',
    });
  },
  run(use, args) {
    const reader = readArguments(args, ARGUMENTS);
    return reader.value('id') === null ? readList(use, reader) : readOne(use, reader);
  },
};

async function readOne(use: ToolUse, reader: ArgumentReader): Promise<JsonObject> {
  const path = recordPath(reader.requiredText('table'), reader.value('id'), reader, 'id');
  const parameters = shapeOf(reader);
  for (const name of OF_LISTS)
    if (reader.value(name) !== null) reader.reject(name, 'cannot be combined with id');
  reader.done();
  const response = await callInternally(use, { method: 'GET', path, parameters }, toTable);
  rejectTooLarge(response);
  const etag = response.header('ETag');
  return new Map<string, JsonValue>([
    ['record', response.body],
    ...(etag === null ? [] : [['etag', etag] as const]),
    ...cutOf(response),
  ]);
}

async function readList(use: ToolUse, reader: ArgumentReader): Promise<JsonObject> {
  const path = tablePath(reader.requiredText('table'));
  const filter = reader.object('filter');
  const limit = reader.integer('limit', 1, LIMITS.rowsPerPageMax) ?? RECORDS_DEFAULT;
  const offset = reader.integer('offset', 0, 999_999_999) ?? 0;
  const parameters = {
    ...shapeOf(reader),
    _filter: filter === null || filter.size === 0 ? null : serializeJson(filter),
    sort: reader.texts('sort')?.join(',') ?? null,
    _q: reader.text('search'),
    limit: String(limit),
    _offset: offset === 0 ? null : String(offset),
    _count: reader.flag('count') ? 'exact' : null,
  };
  reader.done();
  const response = await callInternally(use, { method: 'GET', path, parameters }, toTable);
  rejectTooLarge(response);
  const hasMore = response.header('X-Has-More') === 'true';
  const total = response.header('X-Total-Count');
  return new Map<string, JsonValue>([
    ['records', response.body],
    ['has_more', hasMore],
    ...(hasMore ? [['next_offset', { kind: 'number', text: String(offset + limit) }] as const] : []),
    ...(total === null ? [] : [['total', { kind: 'number', text: total }] as const]),
    ...cutOf(response),
  ]);
}

function shapeOf(reader: ArgumentReader): Record<string, string | null> {
  return {
    _select: reader.texts('fields')?.join(',') ?? null,
    include: reader.texts('include')?.join(',') ?? null,
  };
}

/** Returns the relationships whose lists of related records are incomplete. */
function cutOf(response: InternalResponse): readonly (readonly [string, JsonValue])[] {
  const cut = response.header('X-Truncated');
  return cut === null ? [] : [['truncated', cut]];
}
