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
  /** An import commits its rows when one of these two limits is reached. */
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
  /** The maximum size of a response to a request with an Idempotency-Key. */
  idempotentAnswerBytesMax: 256 * 1024,
  statementMsMax: 10_000,
  answerBytesMax: 64 * 1024 * 1024,
  /** The maximum size of a tool's result, as it is sent to the model. */
  toolAnswerBytesMax: 256 * 1024,
  requestsPerKeyMax: 256,
  queryRowsDefault: 1_000,
  queryRowsMax: 10_000,
  queriesPerDatabaseMax: 2,
  /** The maximum size of all query responses that are being collected or sent. */
  queryBytesPerDatabaseMax: 96 * 1024 * 1024,
  queryBytesPerProcessMax: 192 * 1024 * 1024,
  streamsPerKeyMax: 4,
  streamRowsPerStatementMax: 5_000,
  streamStatementMsMax: 60_000,
  /** The maximum time in milliseconds in which the client neither sends nor receives a byte. */
  streamIdleMsMax: 30_000,
  /** The maximum time in milliseconds that a stream may use an outdated schema. */
  streamOldSchemaMsMax: 60_000,
} as const;
