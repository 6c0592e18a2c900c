import { API_PREFIX } from '@rowhouse/contracts';
import { describeErrors, json, refTo, type JsonObject } from './openapi-types.js';
import { ROW } from './service-schemas.js';
import { headers } from './table-answers.js';

const ERRORS = describeErrors();

/** Emits the endpoints that do not belong to a table. Every database has them. */
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
    description: `Lists the tables that this key can see, with their URLs. ${ERRORS}`,
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
    description: `Returns an OpenAPI 3.1 document of everything that this key can see. ${ERRORS}`,
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
    summary: 'Run SQL or ask a question',
    description:
      'Runs with the permissions of the key. Reads only, unless the key has the scope query:write, ' +
      'which allows INSERT, UPDATE and DELETE within Prefer: max-affected. With Accept: ' +
      'application/x-ndjson or text/csv, all rows are streamed. With text/event-stream, each stage ' +
      'is reported as it starts. Invalid SQL and unknown names get a 400 with the line and column. ' +
      'Statements that are not allowed get a 403. Statements that exceed the time limit get a 504. ' +
      `${describeErrors(400, 504)}`,
    requestBody: {
      description: 'The statement.',
      required: true,
      content: json(refTo('schemas', 'QueryRequest'), { query: 'SELECT 1 AS one' }),
    },
    responses: {
      200: {
        description:
          'The rows, as an array of objects, or of arrays with array_mode. With verbose, an object ' +
          'that contains the rows. For a write, the number of changed records.',
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
    summary: 'List sample questions',
    description: `Returns up to three questions that this key can ask. Requires the scope query. ${ERRORS}`,
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
    description: `Returns the tables, columns, indexes and relationships that this key can see. ${ERRORS}`,
    parameters: [
      refTo('parameters', 'ifNoneMatch'),
      {
        name: 'format',
        in: 'query',
        description: 'Set to sql to get the CREATE statements as text.',
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
    summary: 'Check the health of the service',
    description: 'Without a key, checks only the service. With a key, also checks its database.',
    security: [{}, { bearerKey: [] }, { headerKey: [] }, { gibsonHeaderKey: [] }],
    responses: {
      200: { description: 'The service is healthy.', content: json(refTo('schemas', 'Health')) },
      401: refTo('responses', 'Error'),
      503: refTo('responses', 'Error'),
    },
  };
}
