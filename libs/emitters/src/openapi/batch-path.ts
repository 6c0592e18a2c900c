import { API_PREFIX, describeErrors, json, refTo, type JsonObject } from './openapi-types.js';

const TEXT =
  'The operations run in order in one transaction, up to 100 of them. When one fails, nothing is changed: the answer has the status and body ' +
  `that the operation would have had alone, and operation, its place from 0. ${describeErrors(404, 409, 412, 504)}`;

/**
 * Emits `POST /_batch`, which runs operations on any tables in one transaction.
 * `tablePath` is the path of a table for the example.
 */
export function emitBatchPath(tag: string, tablePath: string): Record<string, JsonObject> {
  return {
    [`${API_PREFIX}/_batch`]: {
      post: {
        tags: [tag],
        operationId: 'runBatch',
        summary: 'Run several operations in one transaction',
        description: TEXT,
        parameters: [refTo('parameters', 'idempotencyKey'), refTo('parameters', 'preferBatch')],
        requestBody: {
          description: 'The operations.',
          required: true,
          content: json(refTo('schemas', 'BatchRequest'), {
            operations: [{ method: 'GET', path: `/${tablePath}?limit=1` }],
          }),
        },
        responses: {
          200: {
            description: 'What each operation answered, in order.',
            content: json({ type: 'array', items: refTo('schemas', 'BatchAnswer') }),
          },
          422: refTo('responses', 'ValidationError'),
        },
      },
    },
  };
}

export function emitBatchParameters(): Record<string, JsonObject> {
  return {
    preferBatch: {
      name: 'Prefer',
      in: 'header',
      description:
        'Holds for every operation: return=minimal, max-affected=N, resolution=…, numbers=string. tx=rollback: a dry run of all of them. Preference-Applied tells what was heard.',
      schema: { type: 'string' },
    },
  };
}

export function emitBatchSchemas(): Record<string, JsonObject> {
  return {
    BatchRequest: {
      type: 'object',
      description: 'Operations that happen together or not at all.',
      properties: {
        operations: {
          type: 'array',
          description: 'In the order in which they run.',
          items: refTo('schemas', 'BatchOperation'),
          minItems: 1,
          maxItems: 100,
        },
      },
      required: ['operations'],
      additionalProperties: false,
    },
    BatchOperation: {
      type: 'object',
      description: 'A call as it would be sent alone.',
      properties: {
        method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
        path: {
          type: 'string',
          description: 'Behind /v1/-, with its parameters: /posts/5, /posts?published=false.',
          pattern: '^/',
        },
        body: {
          description:
            'Of POST, PUT and PATCH. A member {"$ref": "0.id"} takes what an earlier operation answered: its place, then members and places in arrays.',
          type: ['object', 'array', 'null'],
          items: {},
        },
        if_match: {
          type: ['string', 'null'],
          description: 'As If-Match of a single write: 412 when the record has another version.',
        },
      },
      required: ['method', 'path'],
      additionalProperties: false,
    },
    BatchAnswer: {
      type: 'object',
      description: 'What one operation answered.',
      properties: {
        status: { type: 'integer' },
        headers: {
          type: 'object',
          description: 'Location, ETag and the like.',
          additionalProperties: { type: 'string' },
        },
        body: {
          description: 'As of the single call; null where that has none.',
          type: ['object', 'array', 'null'],
          items: {},
        },
      },
      required: ['status', 'headers', 'body'],
      additionalProperties: false,
    },
  };
}
