import { API_PREFIX, refTo, type JsonObject } from './openapi-types.js';

/** The endpoints that every database has beside its tables. */
export function emitServicePaths(tag: string): Record<string, JsonObject> {
  return {
    [`${API_PREFIX}/query`]: { post: emitQuery(tag) },
    [`${API_PREFIX}/schema`]: { get: emitSchema(tag) },
    [`${API_PREFIX}/health`]: { get: emitHealth(tag) },
  };
}

function emitQuery(tag: string): JsonObject {
  return {
    tags: [tag],
    operationId: 'query',
    summary: 'Run an SQL SELECT',
    description:
      'Runs with the rights of the key, and only reads. With Accept: application/x-ndjson or text/csv the rows come one by one, without a maximum. Other answers carry components.schemas.Error: 400 for SQL that cannot be read ' +
      'or names what does not exist (with line and column), 401, 403 for what is not allowed, 429, 504 beyond the time limit.',
    requestBody: { description: 'The statement.', required: true, content: json(refTo('schemas', 'QueryRequest')) },
    responses: {
      200: {
        description: 'The rows, as a bare array of objects (arrays with array_mode); with verbose an object around them.',
        headers: { 'X-Truncated': refTo('headers', 'XTruncated'), 'X-Generated-SQL': refTo('headers', 'XGeneratedSql') },
        content: json({ anyOf: [{ type: 'array', items: { type: ['object', 'array'] } }, refTo('schemas', 'QueryResult')] }),
      },
      422: refTo('responses', 'ValidationError'),
    },
  };
}

function emitSchema(tag: string): JsonObject {
  return {
    tags: [tag],
    operationId: 'readSchema',
    summary: 'Read the schema',
    description: 'Tables, columns, indexes and relationships as this key may see them. Other answers carry components.schemas.Error: 401, 403, 429.',
    parameters: [{ name: 'format', in: 'query', description: 'sql: the CREATE statements as text.', schema: { type: 'string', enum: ['json', 'sql'] } }],
    responses: {
      200: {
        description: 'The schema.',
        headers: { ETag: refTo('headers', 'ETag') },
        content: { 'application/json': { schema: refTo('schemas', 'Schema') }, 'text/plain': { schema: { type: 'string' } } },
      },
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

const text = { type: 'string' } as const;

/** Components that the endpoints beside the tables use. */
export function emitServiceSchemas(): Record<string, JsonObject> {
  return {
    QueryRequest: emitQueryRequest(),
    QueryResult: {
      type: 'object',
      description: 'The answer with verbose.',
      properties: {
        data: { type: 'array', items: { type: ['object', 'array'] } },
        columns: {
          type: 'array',
          items: { type: 'object', properties: { name: text, type: text, nullable: { type: 'boolean' } }, required: ['name', 'type'] },
        },
        sql: text,
        row_count: { type: 'integer' },
        truncated: { type: 'boolean' },
      },
      required: ['data', 'columns', 'sql', 'row_count', 'truncated'],
    },
    QueryValue: { description: 'A bound value.', type: ['string', 'number', 'boolean', 'null'] },
    Schema: {
      type: 'object',
      description: 'The deployed schema.',
      properties: {
        project: text,
        database: text,
        dialect: text,
        version: { type: 'integer' },
        tables: { type: 'array', items: { type: 'object', properties: { name: text, path: text, kind: text }, required: ['name', 'path', 'kind'] } },
        sql: text,
      },
      required: ['project', 'database', 'dialect', 'version', 'tables', 'sql'],
    },
    Health: {
      type: 'object',
      description: 'How the service is; the members beyond time only with a key.',
      properties: {
        status: text,
        time: { type: 'string', format: 'date-time' },
        database: { type: 'object', properties: { id: text, project: text, environment: text } },
        schema_version: { type: 'integer' },
        limits: { type: 'object', additionalProperties: { type: 'number' } },
      },
      required: ['status', 'time'],
    },
  };
}

function emitQueryRequest(): JsonObject {
  return {
    type: 'object',
    description: 'An SQL statement with its parameters.',
    properties: {
      query: { type: 'string', description: 'One SELECT, at most 16 KB. SHOW TABLES, DESCRIBE and EXPLAIN SELECT are answered too.' },
      params: {
        description: 'A list for ?, an object for :name.',
        anyOf: [{ type: 'array', items: refTo('schemas', 'QueryValue') }, { type: 'object', additionalProperties: refTo('schemas', 'QueryValue') }],
      },
      limit: { type: 'integer', description: 'Rows at most; 1,000 unless given.', minimum: 1, maximum: 10_000 },
      array_mode: { type: 'boolean', description: 'Rows as arrays instead of objects.' },
      verbose: { type: 'boolean', description: 'With everything that is known of the run.' },
      dry_run: { type: 'boolean', description: 'Only checks the statement; no rows.' },
      mode: { type: 'string', description: 'auto tells SQL from questions.', enum: ['auto', 'sql', 'question'] },
      engine: { type: 'string', description: 'Of questions.', enum: ['auto', 'rules', 'llm'] },
      timezone: { type: 'string', description: 'Of the dates in questions: Europe/Berlin, +02:00.' },
    },
    required: ['query'],
    additionalProperties: false,
  };
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}
