import { API_PREFIX } from '@rowhouse/contracts';
import { describeErrors, json, refTo, type JsonObject } from './openapi-types.js';

const TEXT =
  'Runs up to 100 operations in order, in one transaction. If one fails, nothing is changed. ' +
  'The response then has the status and body of the failed operation, and its index in the ' +
  `member operation, starting at 0. ${describeErrors(404, 409, 412, 504)}`;

/**
 * Emits the OpenAPI path `POST /_batch`, which runs operations on any tables in one transaction. `tablePath`
 * is the path of a table, which the example uses.
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
            description: 'The result of each operation, in order.',
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
        'Applies to every operation: return=minimal, max-affected=N, resolution=…, numbers=string. tx=rollback is a dry run of all operations. Preference-Applied lists the preferences that were applied.',
      schema: { type: 'string' },
    },
  };
}

export function emitBatchSchemas(): Record<string, JsonObject> {
  return {
    BatchRequest: {
      type: 'object',
      description: 'The operations to run in one transaction.',
      properties: {
        operations: {
          type: 'array',
          description: 'The operations, in the order in which they run.',
          items: refTo('schemas', 'BatchOperation'),
          minItems: 1,
          maxItems: 100,
        },
      },
      required: ['operations'],
      additionalProperties: false,
    },
    BatchOperation: emitOperation(),
    BatchAnswer: emitOperationResult(),
  };
}

/** Emits the schema of one operation in a batch. */
function emitOperation(): JsonObject {
  return {
    type: 'object',
    description: 'One request of the batch.',
    properties: {
      method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
      path: {
        type: 'string',
        description: 'The path after /v1/- with its parameters: /posts/5, /posts?published=false.',
        pattern: '^/',
      },
      body: {
        description:
          'The body of POST, PUT and PATCH. A member {"$ref": "0.id"} takes a value from an earlier response: the index of the operation, then members and array indexes.',
        type: ['object', 'array', 'null'],
        items: {},
      },
      if_match: {
        type: ['string', 'null'],
        description: 'The If-Match value of this write. Returns 412 if the record has another version.',
      },
    },
    required: ['method', 'path'],
    additionalProperties: false,
  };
}

/** Emits the schema of one operation's result. */
function emitOperationResult(): JsonObject {
  return {
    type: 'object',
    description: 'The response to one operation.',
    properties: {
      status: { type: 'integer' },
      headers: {
        type: 'object',
        description: 'Headers such as Location and ETag.',
        additionalProperties: { type: 'string' },
      },
      body: {
        description: 'The body of the response, or null.',
        type: ['object', 'array', 'null'],
        items: {},
      },
    },
    required: ['status', 'headers', 'body'],
    additionalProperties: false,
  };
}
