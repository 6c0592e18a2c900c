import type { GuardedQuery, QueryValue } from '@rowhouse/query-engine';
import type { Translation } from '../../llm/translation.js';
import type { Answer } from '../call.js';
import { CACHE_NEVER, toHeaderText } from '../response-headers.js';
import type { QueryRequest } from './query-request.js';
import type { QueryRun } from './run-query.js';

export interface QueryAnswerParts {
  readonly request: QueryRequest;
  readonly run: QueryRun;
  readonly guarded: GuardedQuery;
  /** As it was sent, normalised. */
  readonly sql: string;
  /** What a question was read as; null for SQL. */
  readonly reply: Translation | null;
  readonly number: number;
  readonly requestId: string;
  readonly startedMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

const SQL_HEADER_BYTES_MAX = 2_048;

/** A bare array of rows, which client programs index; or with `verbose` everything that is known of it. */
export function writeQueryAnswer(parts: QueryAnswerParts): Answer {
  const { rows } = parts.run;
  const sql = sqlOf(parts.guarded, parts.sql);
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8', ...queryHeaders(sql, parts.reply), ...parts.headers };
  if (rows.isTruncated) headers['X-Truncated'] = 'true';
  return { status: 200, headers, body: parts.request.verbose ? writeVerbose(parts, sql) : rows.json };
}

/** As it was run. */
export function sqlOf(guarded: GuardedQuery, sent: string): string {
  return 'sql' in guarded ? guarded.sql : sent;
}

function sourceOf(reply: Translation | null): 'sql' | Translation['source'] {
  return reply === null ? 'sql' : reply.source;
}

/** What every answer to a query carries. */
export function queryHeaders(sql: string, reply: Translation | null): Record<string, string> {
  const encoded = toHeaderText(sql.replace(/\s+/g, ' '));
  return { 'Cache-Control': CACHE_NEVER, 'X-Query-Source': sourceOf(reply), ...(reply === null ? {} : { 'X-Question-Id': reply.questionId }), ...(encoded.length <= SQL_HEADER_BYTES_MAX ? { 'X-Generated-SQL': encoded } : {}) };
}

function writeVerbose(parts: QueryAnswerParts, sql: string): string {
  const { rows, elapsedMs } = parts.run;
  const params = 'params' in parts.guarded ? parts.guarded.params : [];
  const rest = {
    columns: rows.columns, sql, source: sourceOf(parts.reply), row_count: rows.rowCount, truncated: rows.isTruncated,
    explanation: parts.reply?.explanation ?? null, confidence: parts.reply?.confidence ?? null, assumptions: parts.reply?.assumptions ?? [], warnings: [],
    timing: { total_ms: round(performance.now() - parts.startedMs), database_ms: round(elapsedMs) },
    llm: parts.reply?.llm ?? null, ...(parts.reply === null ? {} : { question_id: parts.reply.questionId }), schema_version: parts.number, request_id: parts.requestId,
  };
  return `{"data":${rows.json},"params":[${params.map(writeParam).join(',')}],${JSON.stringify(rest).slice(1)}`;
}

/** BigInt has no JSON form of its own: its digits are one. */
function writeParam(value: QueryValue): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
