import { emitGroupParameters } from './group-parameters.js';
import { emitOperators } from './operators-parameter.js';
import { refTo, type JsonObject, type OpenApiOptions } from './openapi-types.js';

/** Parameters, headers, answers and schemas that every table shares. */
export function emitSharedParameters(options: OpenApiOptions): Record<string, JsonObject> {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 0, maximum: 1000 } } as const;
  const limitText = 'Records per page. With page but without limit: 20.';
  return {
    page: query('page', 'The page, from 1. Lists reach 100,000 records deep.', { type: 'integer', minimum: 1 }),
    ...(options.settings.require_limit
      ? { limitRequired: { ...limit, description: `${limitText} This database asks for page or limit on every list.` } }
      : { limit: { ...limit, description: `${limitText} Without both: up to 1,000, and X-Truncated says when there are more.` } }),
    order: query('order', 'The direction of sort keys without a sign; alone it sorts by the primary key.', { type: 'string', enum: ['asc', 'desc'] }),
    filter: query('_filter', 'A tree of conditions as JSON, with and, or, not, and some, none, every, count of relationships: {"or":[{"id__lt":9},{"id":12}]}.', { type: 'string' }),
    search: query('_q', 'Words to look for in the FULLTEXT indexes of the table.', { type: 'string' }),
    where: query('where', "Comparisons joined by AND, OR, NOT and brackets: age >= 18 AND (name LIKE 'a%' OR city IS NULL). Also age.gte.18.", { type: 'string' }),
    createdAfter: query('created_after', 'Only records created later than this date (its start, UTC) or instant: 2026-01-31.', { type: 'string' }),
    select: query('_select', 'Only these columns, separated by commas. Records then lack the others.', { type: 'string' }),
    omit: query('_omit', 'All columns but these, separated by commas.', { type: 'string' }),
    offset: query('_offset', 'Records to skip, instead of page.', { type: 'integer', minimum: 0 }),
    cursor: query('_cursor', 'Instead of page: empty for the start, then what X-Next-Cursor gave. Holds for the same sort and filters.', { type: 'string' }),
    ...emitGroupParameters(),
    count: query('_count', 'exact: X-Total-Count says how many records match. estimated: about how many, without counting whole tables.', { type: 'string', enum: ['exact', 'estimated'] }),
    operators: emitOperators(options),
    preferRead: prefer('numbers=string: integers beyond 2^53 and decimals come as strings.'),
    ifMatch: {
      name: 'If-Match',
      in: 'header',
      description: 'Only when the record is still the one that this ETag came with (* is any), else 412. Needs the right to read.',
      schema: { type: 'string' },
    },
    idempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'The write happens once however often it is sent: the same request with the same key within 24 h gets the same answer, with ' +
        'Idempotent-Replayed: true. Another request with the key is 422, one while it runs 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
    ifNoneMatch: { name: 'If-None-Match', in: 'header', description: '304 without a body when the record still has this ETag.', schema: { type: 'string' } },
    onConflict: query(
      '_on_conflict',
      'The columns of one unique key, separated by commas: a record with the same values is changed instead (200), or left alone with ' +
        'Prefer: resolution=ignore-duplicates. A duplicate on another key is 409.',
      { type: 'string' },
    ),
    preferCreate: prefer(
      'return=minimal: the key alone in the answer. tx=rollback: a dry run, nothing is kept. numbers=string: as on reads. ' +
        'resolution=merge-duplicates or ignore-duplicates: what _on_conflict does with a record that is there.',
    ),
    preferMany: prefer(
      'max-affected=N: 409 and no change when more than N records match; 100 unless said, 10,000 at most. return=representation: the records ' +
        'instead of their number. tx=rollback: a dry run. numbers=string: as on reads.',
    ),
    preferWrite: prefer('return=minimal: no record in the answer. tx=rollback: a dry run, nothing is kept. numbers=string: as on reads.'),
  };
}

function query(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'query', description, schema };
}

function prefer(description: string): JsonObject {
  return { name: 'Prefer', in: 'header', description, schema: { type: 'string' } };
}

export function emitSharedHeaders(): Record<string, JsonObject> {
  const text = { type: 'string' } as const;
  return {
    Link: { description: 'Relative addresses of the first, previous and next page.', schema: text },
    XHasMore: { description: 'Whether there are records behind this page.', schema: { type: 'string', enum: ['true', 'false'] } },
    XNextCursor: { description: 'The value of _cursor for the records behind these; only with _cursor.', schema: text },
    XTotalCount: { description: 'How many records match; only with _count.', schema: { type: 'integer' } },
    XTruncated: { description: 'What was cut: the list itself, or the included arrays named here.', schema: text },
    XGeneratedSql: { description: 'The statement that ran, percent-encoded where it is not plain text.', schema: text },
    ETag: { description: 'The version of the record, quotes included: for If-Match and If-None-Match.', schema: text },
    Location: { description: 'The address of the new record.', schema: text },
  };
}

export function emitSharedResponses(): Record<string, JsonObject> {
  return {
    ValidationError: {
      description: 'Something in the request does not fit the schema; each fault is listed.',
      content: { 'application/json': { schema: refTo('schemas', 'ValidationError') } },
    },
    Error: {
      description: 'The request was refused or could not be served.',
      content: { 'application/json': { schema: refTo('schemas', 'Error') } },
    },
  };
}

export function emitSharedSchemas(): Record<string, JsonObject> {
  const code = { type: 'string', description: 'area.reason, for programs.' } as const;
  const requestId = { type: 'string', description: 'Also in X-Request-Id.' } as const;
  const hint = { type: 'string', description: 'The way out.' } as const;
  return {
    Error: {
      type: 'object',
      description: 'Every error but 422.',
      properties: { detail: { type: 'string', description: 'A sentence.' }, code, request_id: requestId, hint },
      required: ['detail', 'code', 'request_id'],
    },
    ValidationError: {
      type: 'object',
      description: 'A 422.',
      properties: {
        detail: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              loc: {
                type: 'array',
                description: 'Where: body, query, path or header, then the member.',
                items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
              },
              msg: { type: 'string', description: 'What is wrong, for people.' },
              type: { type: 'string', description: 'What is wrong, for programs.' },
            },
            required: ['loc', 'msg', 'type'],
          },
        },
        code,
        request_id: requestId,
        hint,
      },
      required: ['detail', 'code', 'request_id'],
    },
    Increment: {
      type: 'object',
      description: 'Adds to the stored number in one step.',
      properties: { $inc: { type: 'number', description: 'May be negative.' } },
      required: ['$inc'],
      additionalProperties: false,
    },
  };
}

/** Any one of them will do. */
export function emitSecuritySchemes(): Record<string, JsonObject> {
  return {
    bearerKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer rh_…' },
    headerKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key in a header of its own.' },
    gibsonHeaderKey: { type: 'apiKey', in: 'header', name: 'X-Gibson-API-Key', description: 'The same key under the name that existing client programs send.' },
  };
}
