import { compileSnapshot, nameSnapshot, type CompiledSnapshot, type Rights } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA, foreignKey, rawColumn, rawTable, uniqueIndex } from '@rowhouse/schema-model/testing';
import { toErrorBody, AppError } from '@rowhouse/errors';
import {
  authorizePlan,
  createRowSink,
  parseJson,
  parseRequest,
  planRequest,
  toResponse,
  toStatements,
  type ApiResponse,
  type Authorized,
  type Plan,
  type PlanOptions,
  type ResultSet,
  type Statement,
  type StatementProgram,
} from '../src/index.js';
import type { Cell } from '../src/values/cell.js';

export const ALL: Rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} };
export const nullable = { nullable: true, default: { kind: 'null' } } as const;

/** A table with a column of every type that the API treats differently. */
const types = rawTable(
  'types',
  [
    rawColumn('id', 'bigint(20) unsigned', { autoIncrement: true }),
    rawColumn('tiny', 'tinyint(4)', nullable),
    rawColumn('big', 'bigint(20) unsigned', nullable),
    rawColumn('price', 'decimal(10,2)', nullable),
    rawColumn('ratio', 'float', nullable),
    rawColumn('mass', 'double', nullable),
    rawColumn('flag', 'bit(1)', nullable),
    rawColumn('bits', 'bit(16)', nullable),
    rawColumn('name', 'varchar(10)', nullable),
    rawColumn('code', 'varchar(10)', { ...nullable, collation: 'utf8mb4_bin' }),
    rawColumn('note', 'tinytext', { ...nullable, maxLength: 255 }),
    rawColumn('state', "enum('new','old','3')", nullable),
    rawColumn('marks', "set('a','b','c')", nullable),
    rawColumn('day', 'date', nullable),
    rawColumn('at', 'datetime(3)', nullable),
    rawColumn('stamp', 'timestamp', nullable),
    rawColumn('span', 'time', nullable),
    rawColumn('year', 'year(4)', nullable),
    rawColumn('data', 'json', nullable),
    rawColumn('raw', 'varbinary(4)', nullable),
    rawColumn('guid', 'uuid', nullable),
    rawColumn('address', 'inet6', nullable),
    rawColumn('place', 'point', nullable),
    rawColumn('twice', 'int(11)', { ...nullable, generated: 'stored' }),
    rawColumn('email', 'varchar(100)', { default: { kind: 'literal', text: '' } }),
    rawColumn('uuid', 'char(36)'),
    rawColumn('limit', 'int(11)', nullable),
    rawColumn('score__gt', 'int(11)', nullable),
  ],
  { indexes: [uniqueIndex('u', ['uuid'])] },
);
const countries = rawTable(
  'countries',
  [rawColumn('code', 'varchar(3)'), rawColumn('title', 'varchar(50)')],
  { primaryKey: ['code'] },
);
const cities = rawTable(
  'cities',
  [rawColumn('id', 'int(11)', { autoIncrement: true }), rawColumn('country_id', 'varchar(3)', nullable)],
  {
    foreignKeys: [foreignKey('cities', 'country_id', 'countries', ['code'])],
  },
);
const articles = rawTable(
  'articles',
  [
    rawColumn('id', 'int(11)', { autoIncrement: true }),
    rawColumn('title', 'varchar(100)'),
    rawColumn('body', 'text'),
  ],
  {
    indexes: [
      { ...uniqueIndex('words', ['title', 'body']), unique: false, kind: 'fulltext' },
      { ...uniqueIndex('text', ['body']), unique: false, kind: 'fulltext' },
    ],
  },
);
const logs = rawTable('logs', [rawColumn('at', 'datetime'), rawColumn('text', 'text')], { primaryKey: null });
const view = rawTable('recent_posts', [rawColumn('id', 'int(11)')], { primaryKey: null, kind: 'view' });

export const SNAPSHOT = nameSnapshot(
  { ...EXAMPLE_SCHEMA, tables: [...EXAMPLE_SCHEMA.tables, types, countries, cities, articles, logs, view] },
  null,
);

export function compile(rights: Rights = ALL): CompiledSnapshot {
  return compileSnapshot(SNAPSHOT, 1, rights);
}

/** Replaces the keyed hash in tests. */
export function sealText(text: string): string {
  let sum = 7;
  for (let index = 0; index < text.length; index += 1)
    sum = (Math.imul(sum, 31) + text.charCodeAt(index)) >>> 0;
  return sum.toString(36);
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly rights?: Rights;
  /** The compiled schema to use. Without it, each call compiles the schema again. */
  readonly compiled?: CompiledSnapshot;
  /** Scopes of the API key that do not concern a table. */
  readonly scopes?: readonly string[];
  readonly options?: Partial<PlanOptions>;
}

/** The options of plans in most tests. */
export const PLAN_OPTIONS: PlanOptions = {
  unknownFields: 'reject',
  requireLimit: false,
  regexEnabled: false,
  storedColumnsAt: () => null,
  sealText,
  makeUuid: () => '11111111-2222-4333-8444-555555555555',
};

/** Plans a request such as `GET /posts?limit=1`. A body that is a string is used as JSON text. */
export function plan(
  endpoint: string,
  {
    body,
    headers = {},
    rights = ALL,
    compiled = compile(rights),
    scopes = [],
    options = {},
  }: CallOptions = {},
): Authorized<Plan> {
  const [method = '', address = ''] = endpoint.split(' ');
  const [rawPath = '', ...query] = address.split('?');
  const value =
    body === undefined ? undefined : parseJson(typeof body === 'string' ? body : JSON.stringify(body));
  const request = parseRequest(
    { method, rawPath, rawQuery: query.join('?'), headers, body: value },
    compiled,
    { prefix: '/v1/-' },
  );
  const planned = planRequest(request, { ...PLAN_OPTIONS, ...options });
  return authorizePlan(planned, rights, scopes);
}

/** Replaces the keyed digest in tests, with a result of the same length. */
export const digest = (cells: readonly Cell[]): string =>
  Buffer.from(JSON.stringify(cells.map(String)))
    .toString('base64url')
    .slice(-22)
    .padStart(22, '_');

export function program(
  endpoint: string,
  options: CallOptions & { readonly insertReturning?: boolean } = {},
): StatementProgram {
  return toStatements(plan(endpoint, options), { insertReturning: options.insertReturning ?? true }, digest);
}

export function firstStatement(endpoint: string, options: CallOptions = {}): Statement {
  const statement = program(endpoint, options).first.statements[0];
  if (statement === undefined) throw new Error('the program holds no statement');
  return statement;
}

/** Returns the error of a rejected request as text, such as `422 params.invalid ["query","x"]: text; …`. */
export function rejection(endpoint: string, options: CallOptions = {}): string {
  try {
    plan(endpoint, options);
  } catch (error) {
    return describeError(error);
  }
  return 'accepted';
}

export function describeError(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  const { detail } = toErrorBody(error, 'req');
  const text =
    typeof detail === 'string'
      ? detail
      : detail.map((fault) => `${JSON.stringify(fault.loc)} ${fault.type}`).join('; ');
  return `${error.status} ${error.code} ${text}`;
}

/** Returns the result of a statement, in place of a database. */
export type FakeDatabase = (statement: Statement) => {
  readonly rows?: readonly (readonly Cell[])[];
  readonly affectedRows?: number;
  readonly insertId?: string;
};

export function resultOf(
  statement: Statement,
  provided: ReturnType<FakeDatabase>,
  numbers: 'json' | 'string' = 'json',
): ResultSet {
  const sink = createRowSink(statement, { numbers, textMax: 1_000_000 });
  for (const row of provided.rows ?? []) sink.row(row);
  return sink.end({ affectedRows: provided.affectedRows ?? 0, insertId: provided.insertId ?? null });
}

/**
 * Runs a request in the same way as the gateway, with `answer` as the database. Returns the response and the
 * statements.
 */
export function run(
  endpoint: string,
  answer: FakeDatabase,
  options: CallOptions & { readonly insertReturning?: boolean } = {},
): { response: ApiResponse; statements: Statement[] } {
  const planned = plan(endpoint, options);
  const steps = toStatements(planned, { insertReturning: options.insertReturning ?? true }, digest);
  const results: ResultSet[] = [];
  for (let round = steps.first as typeof steps.first | null; round !== null; round = steps.next(results)) {
    results.push(
      ...round.statements.map((statement) =>
        resultOf(statement, answer(statement), planned.preferences.numbers),
      ),
    );
  }
  return {
    response: toResponse(planned, results, digest),
    statements: results.map((result) => result.statement),
  };
}
