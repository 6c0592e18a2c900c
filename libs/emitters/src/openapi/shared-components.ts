import { json, refTo, type JsonObject } from './openapi-types.js';

/** Emits the response headers. */
export function emitSharedHeaders(): Record<string, JsonObject> {
  return {
    Link: { description: 'Relative addresses of the first, previous and next page.', schema: text },
    XHasMore: {
      description: 'Whether there are records behind this page.',
      schema: { type: 'string', enum: ['true', 'false'] },
    },
    XNextCursor: {
      description: 'The value of _cursor for the records behind these; only with _cursor.',
      schema: text,
    },
    XTotalCount: { description: 'How many records match; only with _count.', schema: { type: 'integer' } },
    XTruncated: {
      description: 'What was cut: the list itself, or the included arrays named here.',
      schema: text,
    },
    XGeneratedSQL: {
      description: 'The statement that ran, percent-encoded where it is not plain text.',
      schema: text,
    },
    XGeneratedParams: {
      description:
        'The values that a question gave the statement for its ?, as a JSON list; percent-encoded where it is not plain text.',
      schema: text,
    },
    ETag: {
      description: 'The version of the record, quotes included: for If-Match and If-None-Match.',
      schema: text,
    },
    Location: {
      description: 'The address of a new record, or of one whose key was changed; only where it is one.',
      schema: text,
    },
    XQuerySource: { description: 'Where the statement came from.', schema: text },
    XQuestionId: { description: 'The id of a question in its history.', schema: text },
    RetryAfter: {
      description: 'Seconds to wait; with 429, 503, and 409 while something runs.',
      schema: { type: 'integer' },
    },
  };
}

/**
 * Emits the responses that are not specific to a table.
 * Each has one content type, since a second one would give typed clients a second error type.
 */
export function emitSharedResponses(): Record<string, JsonObject> {
  return {
    Done: {
      description:
        'Done, and nothing to show. A changed record has its new version in ETag, for keys that may read it.',
      headers: { ETag: refTo('headers', 'ETag'), Location: refTo('headers', 'Location') },
    },
    NotModified: {
      description: 'It still is what If-None-Match says.',
      headers: { ETag: refTo('headers', 'ETag') },
    },
    ValidationError: {
      description: 'Something in the request does not fit the schema; each fault is listed.',
      content: json(refTo('schemas', 'ValidationError')),
    },
    Error: {
      description: 'The request was refused or could not be served.',
      headers: { 'Retry-After': refTo('headers', 'RetryAfter') },
      content: json(refTo('schemas', 'Error')),
    },
  };
}

const code: JsonObject = { type: 'string', description: 'area.reason, for programs.' };
const requestId: JsonObject = { type: 'string', description: 'Also in X-Request-Id.' };
const hint: JsonObject = { type: 'string', description: 'The way out.' };
const text: JsonObject = { type: 'string' };

/** Emits the schemas that are not specific to a table. */
export function emitSharedSchemas(): Record<string, JsonObject> {
  return {
    Error: {
      type: 'object',
      description: 'Every error but 422.',
      properties: {
        detail: { type: 'string', description: 'A sentence.' },
        code,
        request_id: requestId,
        hint,
      },
      required: ['detail', 'code', 'request_id'],
    },
    ValidationError: {
      type: 'object',
      description: 'A 422.',
      properties: { detail: { type: 'array', items: emitFault() }, code, request_id: requestId, hint },
      required: ['detail', 'code', 'request_id'],
    },
    Updated: counted('updated'),
    Deleted: counted('deleted'),
    Created: counted('created'),
    Increment: {
      type: 'object',
      description: 'Adds to the stored number in one step.',
      properties: { $inc: { type: 'number', description: 'May be negative.' } },
      required: ['$inc'],
      additionalProperties: false,
    },
  };
}

function emitFault(): JsonObject {
  return {
    type: 'object',
    properties: {
      loc: {
        type: 'array',
        description: 'Where: body, query, path or header, then the member.',
        items: { anyOf: [text, { type: 'integer' }] },
      },
      msg: { type: 'string', description: 'What is wrong, for people.' },
      type: { type: 'string', description: 'What is wrong, for programs.' },
    },
    required: ['loc', 'msg', 'type'],
  };
}

function counted(name: string): JsonObject {
  return {
    type: 'object',
    description: 'How many records.',
    properties: { [name]: { type: 'integer' } },
    required: [name],
    additionalProperties: false,
  };
}

/** Emits the security schemes, any of which is sufficient. */
export function emitSecuritySchemes(): Record<string, JsonObject> {
  return {
    bearerKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer rh_…' },
    headerKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'The same key in a header of its own.',
    },
    gibsonHeaderKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Gibson-API-Key',
      description: 'The same key under the name that existing client programs send.',
    },
  };
}
