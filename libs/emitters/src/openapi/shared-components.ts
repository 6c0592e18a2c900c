import { json, refTo, type JsonObject } from './openapi-types.js';

/** Emits the components for response headers. */
export function emitSharedHeaders(): Record<string, JsonObject> {
  return {
    Link: { description: 'Relative URLs of the first, previous and next page.', schema: text },
    XHasMore: {
      description: 'Whether more records follow this page.',
      schema: { type: 'string', enum: ['true', 'false'] },
    },
    XNextCursor: {
      description: 'The value of _cursor for the next page. Only with _cursor.',
      schema: text,
    },
    XTotalCount: {
      description: 'The number of matching records. Only with _count.',
      schema: { type: 'integer' },
    },
    XTruncated: {
      description: 'What was truncated: the list itself, or the included arrays that are named here.',
      schema: text,
    },
    XGeneratedSQL: {
      description: 'The statement that ran. Characters outside of plain text are percent-encoded.',
      schema: text,
    },
    XGeneratedParams: {
      description:
        'The values of the ? placeholders in the statement of a question, as a JSON array. ' +
        'Characters outside of plain text are percent-encoded.',
      schema: text,
    },
    ETag: {
      description: 'The version of the record, including the quotes, for If-Match and If-None-Match.',
      schema: text,
    },
    Location: {
      description: 'The URL of the record that was created or whose key changed. Only for a single record.',
      schema: text,
    },
    XQuerySource: { description: 'The source of the statement.', schema: text },
    XQuestionId: { description: 'The id of the question in the history.', schema: text },
    RetryAfter: {
      description:
        'Seconds to wait before a retry. Sent with 429 and 503, and with 409 while another operation ' +
        'is running.',
      schema: { type: 'integer' },
    },
  };
}

/**
 * Emits the responses that do not depend on a table. Each has only one content type, because a second would
 * give typed clients a second error type.
 */
export function emitSharedResponses(): Record<string, JsonObject> {
  return {
    Done: {
      description:
        'Success without a body. If the key can read the changed record, ETag has its new version.',
      headers: { ETag: refTo('headers', 'ETag'), Location: refTo('headers', 'Location') },
    },
    NotModified: {
      description: 'The resource still has the version in If-None-Match.',
      headers: { ETag: refTo('headers', 'ETag') },
    },
    ValidationError: {
      description: 'The request does not match the schema. The response lists every error.',
      content: json(refTo('schemas', 'ValidationError')),
    },
    Error: {
      description: 'The request was rejected or failed.',
      headers: { 'Retry-After': refTo('headers', 'RetryAfter') },
      content: json(refTo('schemas', 'Error')),
    },
  };
}

const code: JsonObject = { type: 'string', description: 'The error code, in the form area.reason.' };
const requestId: JsonObject = { type: 'string', description: 'The id of the request, as in X-Request-Id.' };
const hint: JsonObject = { type: 'string', description: 'How to fix the error.' };
const text: JsonObject = { type: 'string' };

/** Emits the schemas that do not depend on a table. */
export function emitSharedSchemas(): Record<string, JsonObject> {
  return {
    Error: {
      type: 'object',
      description: 'The body of every error except 422.',
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
      description: 'Adds to the stored number atomically.',
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
        description: 'The location of the error: body, query, path or header, followed by the member.',
        items: { anyOf: [text, { type: 'integer' }] },
      },
      msg: { type: 'string', description: 'The error message.' },
      type: { type: 'string', description: 'The kind of error, for programs.' },
    },
    required: ['loc', 'msg', 'type'],
  };
}

function counted(name: string): JsonObject {
  return {
    type: 'object',
    description: 'The number of records.',
    properties: { [name]: { type: 'integer' } },
    required: [name],
    additionalProperties: false,
  };
}

/** Emits the security schemes. A request needs only one of them. */
export function emitSecuritySchemes(): Record<string, JsonObject> {
  return {
    bearerKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer rh_…' },
    headerKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'The same key in the X-API-Key header.',
    },
    gibsonHeaderKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Gibson-API-Key',
      description: 'The same key in the header that existing client programs send.',
    },
  };
}
