/**
 * The data API between HTTP and the database, in four pure stages: request, plan, statements and response.
 * The values passed between them are frozen. The library must not depend on HTTP frameworks, drivers,
 * connections or the clock.
 *
 * A request passes through `parseJson` (for a body), `parseRequest`, `planRequest`, `authorizePlan` and
 * `toStatements`. The caller runs the program. It passes the rows of each statement to
 * `createRowSink(statement, …)` or to a sink of its own, and then calls `toResponse`. `mapDatabaseError`
 * converts driver errors.
 */
export { isJsonArray, isJsonObject } from './request/json-value.js';
export { isWithinValues } from './request/json-value.js';
export { parseJson, parseJsonInPieces } from './request/parse-json.js';
export { prepareDocumentsSteps } from './plan/values/prepare-documents.js';
export { serializeJson } from './request/serialize-json.js';
export { parseRequest } from './request/parse-request.js';
export { parseBatchSteps, BATCH_OPERATIONS_MAX, type BatchRequest } from './request/parse-batch.js';
export { nameOperation } from './request/fault-list.js';
export { MAX_AFFECTED_MAX, parsePreferences } from './request/parse-headers.js';
export { needsQuotes, quoteWideNumbers } from './response/value-writer.js';
export { negotiateFormat, ROWS_TYPES } from './request/parse-headers.js';
export { type ResponseFormat } from './request/api-request.js';
export { planRequest } from './plan/plan-request.js';
export { cacheShape, planByShape, type ShapeOptions } from './plan/plan-by-shape.js';
export { mayScan } from './plan/may-scan.js';
export { proposeListIndex } from './plan/may-scan.js';
export { authorizePlan } from './plan/authorize-plan.js';
export {
  authorizeBatch,
  planBatchSteps,
  planItem,
  BATCH_ROWS_MAX,
  type BatchItem,
  type BatchPlan,
  type OptionsOf,
} from './plan/plan-batch.js';
export { NESTED_RECORDS_MAX } from './plan/write/nested/nested-draft.js';
export type { NestedCreatePlan } from './plan/write/nested/nested-plan.js';
export { UPSERT_ROWS_MAX } from './plan/write/plan-upsert.js';
export { toStatements } from './sql/to-statements.js';
export { createRowSink } from './response/row-sink.js';
export {
  arrayFormatOf,
  JSON_FRAME,
  rowFormatOf,
  type FormatColumn,
  type ValueFormat,
  type LongForm,
  type RowFormat,
  type RowFrame,
} from './response/row-format.js';
export { createStreamSource, type StreamPosition, type StreamSource } from './sql/read/stream-statement.js';
export { quoteCsv } from './response/value-writer.js';
export {
  createLineWriter,
  CSV_TYPE,
  NDJSON_TYPE,
  type LineOptions,
  type LineTail,
  type LineWriter,
  type StreamFormat,
} from './response/line-writer.js';
export { toStreamHead } from './response/to-response.js';
export type { StreamPlan } from './plan/list/plan-window.js';
export { toResponse } from './response/to-response.js';
export { respondBatch } from './response/respond-batch.js';
export { streamTags, type DigestCells, type RowTags } from './response/record-tag.js';
export { isUpsertRace, mayBeUpsertRace } from './sql/write/upsert-program.js';
export { encodeOnlyKey } from './request/parse-path.js';
export { versionColumns } from './sql/version-columns.js';
export { ENGINE_LIMITS } from './engine-limits.js';
export {
  isRecordFault,
  isStaleFault,
  mapDatabaseError,
  type DatabaseFault,
} from './response/map-database-error.js';
export { createRecordSplitter, type RawRecord, type RowsFormat } from './import/record-splitter.js';
export type { RowReader, RowReaderOptions } from './import/row-reader.js';
export {
  MANY_ROWS_HINT,
  openRowReader,
  RECORD_VALUES_MAX,
  readRowsBodySteps,
  takeHeader,
  type RowsBody,
} from './import/read-rows-body.js';
export { nameElementLine, nameLine, withElement } from './import/read-rows-body.js';
export { insertHalf } from './sql/write/insert-statements.js';
export { createFaultList, createHintBudget, type FaultList, type HintBudget } from './request/fault-list.js';
export {
  findRowsTable,
  parseImport,
  planImport,
  planImportRow,
  readImport,
  type ImportPlan,
  type ImportRequest,
  type ImportRow,
} from './import/plan-import.js';
export {
  importInserts,
  importUpsert,
  type ImportInsert,
  type ImportUpsert,
} from './sql/write/import-statements.js';
export type * from './request/api-request.js';
export type * from './request/json-value.js';
export type * from './plan/plan.js';
export type * from './plan/plan-parts.js';
export type * from './plan/filter/condition.js';
export type * from './plan/aggregate/aggregate-plan.js';
export type * from './plan/plan-explain.js';
export type * from './plan/plan.js';
export type * from './sql/statement.js';
export type * from './sql/cell.js';
export type * from './sql/statement.js';
export type * from './sql/cell.js';
export { recordsText } from './response/row-sink.js';
export { type TextSink } from './sql/statement.js';
export type * from './response/api-response.js';
