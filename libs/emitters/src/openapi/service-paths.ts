import { API_PREFIX } from '@rowhouse/contracts';
import { describeErrors, json, refTo, type JsonObject } from './openapi-types.js';
import { ROW } from './service-schemas.js';
import { headers } from './table-answers.js';

const ERRORS = describeErrors();

/** Emits the endpoints of every database that do not belong to a table. */
export function emitServicePaths(tag: string): Record<string, JsonObject> {
  return {
    [API_PREFIX]: { get: emitIndex(tag) },
    [`${API_PREFIX}/query`]: { get: emitSamples(tag), post: emitQuery(tag) },
    [`${API_PREFIX}/schema`]: { get: emitSchema(tag) },
    [`${API_PREFIX}/openapi.json`]: { get: emitDocument(tag) },
    [`${API_PREFIX}/health`]: { get: emitHealth(tag) },
  };
}

function emitIndex(tag: string): JsonObject {
  return {
    tags: [tag],
    operationId: 'readIndex',
    summary: 'List the tables',
    description: `Those that this key can see, with their addresses. ${ERRORS}`,
    responses: {
      200: { description: 'The tables.', content: json(refTo('schemas', 'Index')) },
      401: refTo('responses', 'Error'),
    },
  };
}

function emitDocument(tag: string): JsonObject {
  return {
    tags: [tag],
    operationId: 'readOpenApi',
    summary: 'Read this document',
    description: `OpenAPI 3.1 of what this key can see. ${ERRORS}`,
    parameters: [refTo('parameters', 'ifNoneMatch')],
    responses: {
      200: { description: 'The document.', headers: headers('ETag'), content: json({ type: 'object' }) },
      304: refTo('responses', 'NotModified'),
      401: refTo('responses', 'Error'),
    },
  };
}

function emitQuery(tag: string): JsonObject {
  return {
    tags: [tag],
    operationId: 'runQuery',
    summary: 'Run an SQL statement, or answer a plain question',
    description:
      'Runs with the rights of the key, and only reads; with the scope query:write also INSERT, UPDATE and DELETE, bounded by Prefer: max-affected. With Accept: application/x-ndjson or text/csv the rows come one by one, without a maximum; with text/event-stream each stage is told when it is reached. 400: SQL that cannot be read or names what does not exist, with line and column; ' +
      `403: what is not allowed; 504: beyond the time limit. ${describeErrors(400, 504)}`,
    requestBody: {
      description: 'The statement.',
      required: true,
      content: json(refTo('schemas', 'QueryRequest'), { query: 'SELECT 1 AS one' }),
    },
    responses: {
      200: {
        description:
          'The rows, as a bare array of objects (arrays with array_mode); with verbose an object around them. Of a statement that writes, how many records it changed.',
        headers: headers(
          'X-Truncated',
          'X-Generated-SQL',
          'X-Generated-Params',
          'X-Query-Source',
          'X-Question-Id',
        ),
        content: json({ anyOf: [{ type: 'array', items: ROW }, refTo('schemas', 'QueryResult')] }),
      },
      422: refTo('responses', 'ValidationError'),
    },
  };
}

function emitSamples(tag: string): JsonObject {
  return {
    tags: [tag],
    operationId: 'readSampleQuestions',
    summary: 'Read questions that are answered here',
    description: `Up to three plain questions over what the key may read, to begin with. Needs the scope query. ${ERRORS}`,
    responses: {
      200: {
        description: 'The questions.',
        content: json({
          type: 'object',
          properties: { samples: { type: 'array', items: { type: 'string' } } },
          required: ['samples'],
        }),
      },
      401: refTo('responses', 'Error'),
    },
  };
}

function emitSchema(tag: string): JsonObject {
  return {
    tags: [tag],
    operationId: 'readSchema',
    summary: 'Read the schema',
    description: 'Tables, columns, indexes and relationships as this key may see them. ' + ERRORS,
    parameters: [
      refTo('parameters', 'ifNoneMatch'),
      {
        name: 'format',
        in: 'query',
        description: 'sql: the CREATE statements as text.',
        schema: { type: 'string', enum: ['json', 'sql'] },
      },
    ],
    responses: {
      200: {
        description: 'The schema.',
        headers: headers('ETag'),
        content: {
          'application/json': { schema: refTo('schemas', 'Schema') },
          'text/plain': { schema: { type: 'string' } },
        },
      },
      304: refTo('responses', 'NotModified'),
      422: refTo('responses', 'ValidationError'),
    },
  };
}

function emitHealth(tag: string): JsonObject {
  return {
    tags: [tag],
    operationId: 'readHealth',
    summary: 'Ask whether the service answers',
    description: 'Without a key of the service alone, with one of its database too.',
    security: [{}, { bearerKey: [] }, { headerKey: [] }, { gibsonHeaderKey: [] }],
    responses: {
      200: { description: 'It does.', content: json(refTo('schemas', 'Health')) },
      401: refTo('responses', 'Error'),
      503: refTo('responses', 'Error'),
    },
  };
}
