import {
  BATCH_OPERATIONS_MAX,
  BATCH_ROWS_MAX,
  MAX_AFFECTED_MAX,
  NESTED_RECORDS_MAX,
  UPSERT_ROWS_MAX,
} from '@rowhouse/rest-engine';

/** The published limits of the data API. `/health` reports them. */
export const LIMITS = {
  bodyBytesMax: 8 * 1024 * 1024,
  bodyMsMax: 60_000,
  /** The time limit of an import, which has no size limit. */
  uploadMsMax: 3_600_000,
  /** An import commits when either limit is reached. */
  importRowsMax: 1_000,
  importBytesMax: 1024 * 1024,
  urlBytesMax: 16 * 1024,
  headerBytesMax: 32 * 1024,
  rowsPerPageMax: 1_000,
  rowsPerBulkMax: 10_000,
  rowsPerUpsertMax: UPSERT_ROWS_MAX,
  rowsPerFilteredWriteMax: MAX_AFFECTED_MAX,
  nestedRecordsMax: NESTED_RECORDS_MAX,
  batchOperationsMax: BATCH_OPERATIONS_MAX,
  batchRowsMax: BATCH_ROWS_MAX,
  batchMsMax: 30_000,
  /** The limit for a response under an Idempotency-Key. */
  idempotentAnswerBytesMax: 256 * 1024,
  statementMsMax: 10_000,
  answerBytesMax: 64 * 1024 * 1024,
  /** The limit for a tool's result, as sent to the model. */
  toolAnswerBytesMax: 256 * 1024,
  requestsPerKeyMax: 256,
  queryRowsDefault: 1_000,
  queryRowsMax: 10_000,
  queriesPerDatabaseMax: 2,
  /** The limit for all query responses that are being collected or sent. */
  queryBytesPerDatabaseMax: 96 * 1024 * 1024,
  queryBytesPerProcessMax: 192 * 1024 * 1024,
  streamsPerKeyMax: 4,
  streamRowsPerStatementMax: 5_000,
  streamStatementMsMax: 60_000,
  /** The maximum time in ms in which the client neither sends nor receives a byte. */
  streamIdleMsMax: 30_000,
  /** The maximum time that a stream may use an outdated schema. */
  streamOldSchemaMsMax: 60_000,
} as const;
