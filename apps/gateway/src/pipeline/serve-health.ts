import { LIMITS } from '../limits.js';
import { hasCredential } from '../tenant/read-credential.js';
import { askDatabase } from './ask-database.js';
import { jsonAnswer, type Answer, type Call } from './call.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema } from './on-live-schema.js';
import { checkPlace, openTenant } from './open-tenant.js';
import { CACHE_NEVER } from './response-headers.js';

const NO_STORE = { 'Cache-Control': CACHE_NEVER } as const;

/** `GET /v1/-/health`: of the process without a key, of the database with one. */
export async function serveHealth(gateway: Gateway, call: Call): Promise<Answer> {
  const time = new Date().toISOString();
  if (!hasCredential(call.headers)) return jsonAnswer(200, { status: 'ok', time }, NO_STORE);
  const { tenant, admitted } = await openTenant(gateway, call);
  try {
    checkPlace(tenant);
    const version = await onLiveSchema(gateway, tenant.database, tenant.view, call.trace, async (use) => use.number);
    await askDatabase(gateway, tenant.database);
    const database = { id: tenant.key.databaseId, project: tenant.database.record.projectName, environment: tenant.database.record.environment };
    return jsonAnswer(200, { status: 'ok', database, schema_version: version, time, limits: describeLimits() }, { ...NO_STORE, ...admitted.headers });
  } finally {
    admitted.release();
  }
}

function describeLimits(): Record<string, number> {
  return {
    body_bytes: LIMITS.bodyBytesMax,
    url_bytes: LIMITS.urlBytesMax,
    rows_per_page: LIMITS.rowsPerPageMax,
    rows_per_bulk: LIMITS.rowsPerBulkMax,
    rows_per_upsert: LIMITS.rowsPerUpsertMax,
    rows_per_filtered_write: LIMITS.rowsPerFilteredWriteMax,
    nested_records: LIMITS.nestedRecordsMax,
    batch_operations: LIMITS.batchOperationsMax,
    batch_rows: LIMITS.batchRowsMax,
    batch_seconds: LIMITS.batchMsMax / 1_000,
    idempotent_answer_bytes: LIMITS.idempotentAnswerBytesMax,
    statement_seconds: LIMITS.statementMsMax / 1_000,
    answer_bytes: LIMITS.answerBytesMax,
    requests_per_key: LIMITS.requestsPerKeyMax,
    query_rows: LIMITS.queryRowsMax,
    rows_per_import_commit: LIMITS.importRowsMax,
    streams_per_key: LIMITS.streamsPerKeyMax,
    stream_statement_seconds: LIMITS.streamStatementMsMax / 1_000,
    stream_idle_seconds: LIMITS.streamIdleMsMax / 1_000,
  };
}
