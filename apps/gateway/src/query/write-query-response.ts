import { AppError } from '@rowhouse/errors';
import { ExactDecimal, type GuardedQuery, type QueryValue } from '@rowhouse/query-engine';
import { CSV_TYPE, NDJSON_TYPE, quoteCsv, type StreamFormat } from '@rowhouse/rest-engine';
import { CACHE_NEVER, toHeaderText } from '../http/error-response.js';
import type { GatewayResponse } from '../http/gateway-request.js';
import type { Translation } from '../questions/models/translation-cache.js';
import { joinParts } from '../statements/finish-results.js';
import { describeWarnings } from './describe-query.js';
import type { QueryRequest } from './query-request.js';
import type { QueryRun } from './run-query.js';
export interface QueryResponseParts {
  readonly request: QueryRequest;
  readonly run: QueryRun;
  readonly guarded: GuardedQuery;
  /** The SQL as sent, normalized. */
  readonly sql: string;
  /** The translation of a question, or null for SQL. */
  readonly reply: Translation | null;
  /** The explanation of the statement, or null. */
  readonly explanation: string | null;
  readonly number: number;
  readonly requestId: string;
  readonly startedMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

const HEADER_BYTES_MAX = 2_048;

/**
 * Writes the response. It is a bare array of rows, which client programs can index. With `verbose` it
 * contains everything known about the query.
 */
export function writeQueryResponse(parts: QueryResponseParts): GatewayResponse {
  const { rows } = parts.run;
  const sql = sqlOf(parts.guarded, parts.sql);
  const headers: Record<string, string> = {
    'Content-Type': 'application/json; charset=utf-8',
    ...queryHeaders(sql, parts.reply),
    ...parts.headers,
  };
  if (rows.isTruncated) headers['X-Truncated'] = 'true';
  return { status: 200, headers, body: parts.request.verbose ? writeVerbose(parts, sql) : writeShort(parts) };
}

function writeShort({ run, guarded }: QueryResponseParts): string | Uint8Array {
  const hasRows = !('hasRows' in guarded) || guarded.hasRows;
  return run.written === null || hasRows ? run.rows.json : writeWritten(run.written);
}

/** Returns the SQL that was run, with the names of the user's text. */
export function sqlOf(guarded: GuardedQuery, sent: string): string {
  return 'sql' in guarded ? guarded.sql : sent;
}

export function sourceOf(reply: Translation | null): 'sql' | Translation['source'] {
  return reply === null ? 'sql' : reply.source;
}

/** Returns the headers of every query response. */
export function queryHeaders(sql: string, reply: Translation | null): Record<string, string> {
  const headers: Record<string, string> = { 'Cache-Control': CACHE_NEVER, 'X-Query-Source': sourceOf(reply) };
  const add = (name: string, text: string): void => {
    const encoded = toHeaderText(text);
    if (encoded.length <= HEADER_BYTES_MAX) headers[name] = encoded;
  };
  if (reply !== null) headers['X-Question-Id'] = reply.questionId;
  add('X-Generated-SQL', sql.replace(/\s+/g, ' '));
  // The author of SQL already has its values. For a question, the values were found here, so they are
  // returned.
  if (reply !== null && reply.params.length > 0) add('X-Generated-Params', JSON.stringify(reply.params));
  return headers;
}

function writeVerbose(parts: QueryResponseParts, sql: string): string | Uint8Array {
  const { rows, elapsedMs, written } = parts.run;
  const params = 'params' in parts.guarded ? parts.guarded.params : [];
  const rest = {
    columns: rows.columns,
    sql,
    source: sourceOf(parts.reply),
    row_count: rows.rowCount,
    truncated: rows.isTruncated,
    explanation: parts.explanation,
    confidence: parts.reply?.confidence ?? null,
    assumptions: parts.reply?.assumptions ?? [],
    warnings: describeWarnings(parts.guarded, parts.run),
    timing: { total_ms: round(performance.now() - parts.startedMs), database_ms: round(elapsedMs) },
    llm: parts.reply?.llm ?? null,
    ...(parts.reply === null ? {} : { question_id: parts.reply.questionId }),
    schema_version: parts.number,
    request_id: parts.requestId,
  };
  const changed =
    written === null
      ? ''
      : `"affected_rows":${written.affectedRows},"insert_id":${written.insertId ?? 'null'},`;
  return joinParts([
    '{"data":',
    rows.json,
    `,${changed}"params":${writeParams(params)},${JSON.stringify(rest).slice(1)}`,
  ]);
}

/** Serializes the parameters as a JSON array. */
export function writeParams(params: readonly QueryValue[]): string {
  return `[${params.map(writeParam).join(',')}]`;
}

/** Serializes one parameter. Numbers are written with all their digits. */
function writeParam(value: QueryValue): string {
  return typeof value === 'bigint' || value instanceof ExactDecimal
    ? value.toString()
    : JSON.stringify(value);
}

export function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}

/** Writes the short response of a write without RETURNING. */
function writeWritten(written: NonNullable<QueryRun['written']>): string {
  return `{"success":true,"affected_rows":${written.affectedRows},"insert_id":${written.insertId ?? 'null'}}`;
}

/**
 * Rejects formats other than JSON for a write, whose response is not a list of rows.
 *
 * @throws AppError 406
 */
export function rejectOtherThanJson({ kind }: GuardedQuery): void {
  if (kind !== 'insert' && kind !== 'update' && kind !== 'delete') return;
  throw new AppError('request.not_acceptable', {
    detail: 'A statement that writes can only return JSON.',
    hint: 'Send Accept: application/json.',
  });
}

/**
 * Writes a query answered from the snapshot, or a dry run, in the format of a stream. The values are only
 * strings and NULL.
 */
export function writeShortLines(
  run: QueryRun,
  format: StreamFormat,
  headers: Readonly<Record<string, string>>,
): GatewayResponse {
  const rows = JSON.parse(String(run.rows.json)) as readonly (
    | Readonly<Record<string, string | null>>
    | readonly (string | null)[]
  )[];
  const type = format === 'csv' ? CSV_TYPE : NDJSON_TYPE;
  const lines =
    format === 'csv'
      ? toCsv(
          run.rows.columns.map((column) => column.name),
          rows.map((row) => Object.values(row)),
        )
      : rows.map((row) => `${JSON.stringify(row)}\n`);
  return { status: 200, headers: { 'Content-Type': type, ...headers }, body: lines.join('') };
}

function toCsv(names: readonly string[], rows: readonly (readonly (string | null)[])[]): string[] {
  return [
    names.map(quoteCsv),
    ...rows.map((row) => row.map((text) => (text === null ? '' : quoteCsv(text)))),
  ].map((fields) => `${fields.join(',')}\r\n`);
}
