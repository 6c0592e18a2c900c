import type { ErrorCode } from '@rowhouse/errors';
import { ENGINE_LIMITS } from '@rowhouse/rest-engine';
import type { Tenant } from '../tenant/tenant.js';
import { LIMITS } from './limits.js';

/**
 * A limit as `/health` reports it. `code` is the error of a request beyond the limit. It is null when such a
 * request is split or cut instead of rejected.
 */
export interface PublishedLimit {
  readonly name: string;
  readonly value: number;
  readonly code: ErrorCode | null;
}

export const PUBLISHED_LIMITS: readonly PublishedLimit[] = [
  { name: 'body_bytes', value: LIMITS.bodyBytesMax, code: 'request.body_too_large' },
  { name: 'body_seconds', value: LIMITS.bodyMsMax / 1_000, code: 'request.timeout' },
  { name: 'url_bytes', value: LIMITS.urlBytesMax, code: 'request.url_too_long' },
  { name: 'rows_per_page', value: LIMITS.rowsPerPageMax, code: 'limit.page_rows' },
  { name: 'rows_per_bulk', value: LIMITS.rowsPerBulkMax, code: 'limit.bulk_rows' },
  { name: 'rows_per_upsert', value: LIMITS.rowsPerUpsertMax, code: 'limit.upsert_rows' },
  { name: 'rows_per_filtered_write', value: LIMITS.rowsPerFilteredWriteMax, code: 'limit.filtered_rows' },
  { name: 'nested_records', value: LIMITS.nestedRecordsMax, code: 'limit.nested_records' },
  { name: 'batch_operations', value: LIMITS.batchOperationsMax, code: 'limit.batch_operations' },
  { name: 'batch_rows', value: LIMITS.batchRowsMax, code: 'limit.batch_rows' },
  { name: 'batch_seconds', value: LIMITS.batchMsMax / 1_000, code: 'limit.batch_time' },
  { name: 'idempotent_answer_bytes', value: LIMITS.idempotentAnswerBytesMax, code: 'idempotency.too_large' },
  { name: 'statement_seconds', value: LIMITS.statementMsMax / 1_000, code: 'limit.statement_time' },
  { name: 'answer_bytes', value: LIMITS.answerBytesMax, code: 'limit.response_size' },
  { name: 'tool_answer_bytes', value: LIMITS.toolAnswerBytesMax, code: 'limit.tool_answer' },
  { name: 'requests_per_key', value: LIMITS.requestsPerKeyMax, code: 'limit.concurrency' },
  { name: 'query_bytes_in_flight', value: LIMITS.queryBytesPerDatabaseMax, code: 'limit.concurrency' },
  { name: 'query_rows', value: LIMITS.queryRowsMax, code: 'body.invalid' },
  { name: 'rows_per_import_commit', value: LIMITS.importRowsMax, code: null },
  { name: 'streams_per_key', value: LIMITS.streamsPerKeyMax, code: 'limit.streams' },
  { name: 'stream_rows_per_statement', value: LIMITS.streamRowsPerStatementMax, code: null },
  { name: 'stream_statement_seconds', value: LIMITS.streamStatementMsMax / 1_000, code: null },
  { name: 'stream_idle_seconds', value: LIMITS.streamIdleMsMax / 1_000, code: null },
  ...ENGINE_LIMITS,
];

const FIXED: Readonly<Record<string, number>> = Object.fromEntries(
  PUBLISHED_LIMITS.map(({ name, value }) => [name, value]),
);

/** Returns the value of each limit, including the query budget and the request rate of this key. */
export function describeLimits(
  { database, key }: Pick<Tenant, 'database' | 'key'>,
  rowsExaminedMax: number,
): Readonly<Record<string, number>> {
  const rate = key.rate ?? database.record.settings.rate;
  const limits = { ...FIXED, rows_examined: rowsExaminedMax };
  return rate === null
    ? limits
    : { ...limits, requests_per_second: rate.per_second, requests_per_burst: rate.burst };
}
