import { BATCH_OPERATIONS_MAX, BATCH_ROWS_MAX, MAX_AFFECTED_MAX, NESTED_RECORDS_MAX, UPSERT_ROWS_MAX } from '@rowhouse/rest-engine';

/** The published limits of the data API: `/health` tells them, the code keeps them. */
export const LIMITS = {
  bodyBytesMax: 8 * 1024 * 1024,
  bodyMsMax: 60_000,
  /** Of an import, which is as long as it likes. */
  uploadMsMax: 3_600_000,
  /** Of a commit of an import, whichever comes first. */
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
  /** Of an answer under an Idempotency-Key. */
  idempotentAnswerBytesMax: 256 * 1024,
  statementMsMax: 10_000,
  answerBytesMax: 64 * 1024 * 1024,
  /** Of what a tool found, as a model is told it. */
  toolAnswerBytesMax: 256 * 1024,
  requestsPerKeyMax: 256,
  queryRowsDefault: 1_000,
  queryRowsMax: 10_000,
  queriesPerDatabaseMax: 2,
  /** Of answers of queries that are collected or sent right now, together. */
  queryBytesPerDatabaseMax: 96 * 1024 * 1024,
  queryBytesPerProcessMax: 192 * 1024 * 1024,
  streamsPerKeyMax: 4,
  streamRowsPerStatementMax: 5_000,
  streamStatementMsMax: 60_000,
  /** Without a byte that the other side takes or sends. */
  streamIdleMsMax: 30_000,
  /** On a schema that is no longer the live one. */
  streamOldSchemaMsMax: 60_000,
} as const;

/** Where the data API hangs. */
export const API_PREFIX = '/v1/-';
