import { refTo, type JsonObject } from './openapi-types.js';

const text = { type: 'string' } as const;
const maybeText = { type: ['string', 'null'] } as const;
const flag = { type: 'boolean' } as const;
const texts = { type: 'array', items: text } as const;

/** A row in a query's result: an object, or an array with the option `array_mode`. */
export const ROW: JsonObject = { type: ['object', 'array'], items: {} };

/** Emits the components that the endpoints without a table use. */
export function emitServiceSchemas(): Record<string, JsonObject> {
  return {
    QueryRequest: emitQueryRequest(),
    QueryResult: emitQueryResult(),
    QueryValue: { description: 'A bound value.', type: ['string', 'number', 'boolean', 'null'] },
    Index: {
      type: 'object',
      description: 'The tables and their URLs.',
      properties: {
        schema_version: { type: 'integer' },
        tables: {
          type: 'array',
          items: shape({
            name: text,
            kind: { ...text, enum: ['table', 'view'] },
            path: text,
            href: text,
            allowed: { type: 'array', items: { ...text, enum: ['read', 'write', 'delete'] } },
          }),
        },
        links: { type: 'object', additionalProperties: text },
      },
      required: ['schema_version', 'tables', 'links'],
    },
    Schema: {
      ...shape({
        project: text,
        database: text,
        dialect: text,
        version: { type: 'integer' },
        tables: { type: 'array', items: emitTable() },
        sql: { ...text, description: 'The schema as CREATE statements.' },
      }),
      description: 'The deployed schema.',
    },
    Health: {
      type: 'object',
      description: 'The health of the service. With a key, it includes more than status and time.',
      properties: {
        status: text,
        time: { type: 'string', format: 'date-time' },
        database: shape({ id: text, project: text, environment: text }),
        schema_version: { type: 'integer' },
        limits: { type: 'object', additionalProperties: { type: 'number' } },
      },
      required: ['status', 'time'],
    },
  };
}

/** Returns an object schema in which all members are required. */
function shape(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function emitTable(): JsonObject {
  const column = shape({
    name: text,
    type: text,
    value_kind: text,
    nullable: flag,
    default: maybeText,
    generated: maybeText,
    required: flag,
    unique: flag,
    auto_increment: flag,
    max_length: { type: ['integer', 'null'] },
    enum: { anyOf: [texts, { type: 'null' }] },
    format: maybeText,
    references: { anyOf: [shape({ table: text, column: text }), { type: 'null' }] },
  });
  return shape({
    name: text,
    path: text,
    kind: { ...text, enum: ['table', 'view'] },
    primary_key: { anyOf: [texts, { type: 'null' }] },
    columns: { type: 'array', items: column },
    indexes: { type: 'array', items: shape({ name: text, unique: flag, kind: text, columns: texts }) },
    relationships: {
      type: 'array',
      items: shape({ name: text, kind: text, table: text, via: { anyOf: [text, texts] } }),
    },
  });
}

function emitQueryResult(): JsonObject {
  return {
    type: 'object',
    description: 'The response with verbose.',
    properties: {
      data: { type: 'array', items: ROW },
      columns: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: text, type: text, nullable: flag, table: text, column: text },
          required: ['name', 'type'],
        },
      },
      sql: text,
      params: { type: 'array', items: refTo('schemas', 'QueryValue') },
      source: text,
      row_count: { type: 'integer' },
      truncated: flag,
      explanation: maybeText,
      confidence: { type: ['number', 'null'] },
      assumptions: texts,
      warnings: texts,
      timing: shape({ total_ms: { type: 'number' }, database_ms: { type: 'number' } }),
      llm: { type: ['object', 'null'] },
      question_id: text,
      schema_version: { type: 'integer' },
      request_id: text,
    },
    required: ['data', 'columns', 'sql', 'row_count', 'truncated'],
  };
}

function emitQueryRequest(): JsonObject {
  return {
    type: 'object',
    description: 'An SQL statement with its parameters, or a question.',
    properties: {
      query: {
        type: 'string',
        description:
          'One statement of at most 16 KB, or a question. SHOW TABLES, DESCRIBE and EXPLAIN SELECT are ' +
          'also accepted.',
      },
      params: {
        description: 'An array for ? placeholders, or an object for :name placeholders.',
        anyOf: [
          { type: 'array', items: refTo('schemas', 'QueryValue') },
          { type: 'object', additionalProperties: refTo('schemas', 'QueryValue') },
        ],
      },
      parameters: {
        description: 'An alias of params.',
        type: ['array', 'object'],
        items: refTo('schemas', 'QueryValue'),
      },
      limit: {
        type: 'integer',
        description: 'The maximum number of rows. The default is 1,000.',
        minimum: 1,
        maximum: 10_000,
      },
      array_mode: { type: 'boolean', description: 'Return rows as arrays instead of objects.' },
      verbose: {
        type: 'boolean',
        description: 'Include details of the run, such as columns, timing and warnings.',
      },
      dry_run: { type: 'boolean', description: 'Check the statement without running it.' },
      mode: {
        type: 'string',
        description: 'How to read the query. auto detects whether it is SQL or a question.',
        enum: ['auto', 'sql', 'question'],
      },
      engine: {
        type: 'string',
        description:
          'How to answer questions: by rules only (rules), by a language model only (llm), or by rules ' +
          'first (auto).',
        enum: ['auto', 'rules', 'llm'],
      },
      timezone: {
        type: 'string',
        description: 'The time zone of dates in questions, such as Europe/Berlin or +02:00.',
      },
    },
    required: ['query'],
    additionalProperties: false,
  };
}
