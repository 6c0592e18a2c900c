/**
 * The part of the data API between HTTP and the database. It consists of pure stages: request, plan,
 * statements and response. The values passed between them are frozen. The library must not depend on HTTP
 * frameworks, drivers, connections or the clock.
 *
 * A request passes through `parseJson` (for a body), `parseRequest`, `planRequest`, `authorizePlan` and
 * `toStatements`. The caller runs these statements. It passes the rows of each statement to
 * `createRowSink(statement, …)` or to a sink of its own, and then calls `toResponse`. `mapDatabaseError`
 * converts driver errors.
 *
 * A stage imports only earlier stages, in the order of the exports below. `infra/checks` enforces this.
 */

// The stage that parses requests
export type * from './request/api-request.js';
export { createFaultList, createHintBudget, nameOperation } from './request/fault-list.js';
export type { FaultList, HintBudget } from './request/fault-list.js';
export { isJsonArray, isJsonObject, isWithinValues } from './request/json-value.js';
export type * from './request/json-value.js';
export { BATCH_OPERATIONS_MAX, parseBatchSteps, type BatchRequest } from './request/parse-batch.js';
export { MAX_AFFECTED_MAX, negotiateFormat, parsePreferences, ROWS_TYPES } from './request/parse-headers.js';
export { parseJson, parseJsonInPieces } from './request/parse-json.js';
export { encodeOnlyKey } from './request/parse-path.js';
export { parseRequest } from './request/parse-request.js';
export { serializeJson } from './request/serialize-json.js';

// Conversion and comparison of values
export type { BoundValue, Cell, DigestCells } from './values/cell.js';
export { prepareDocumentsSteps } from './values/prepare-documents.js';

// The stage that plans requests
export type * from './plan/aggregate/aggregate-plan.js';
export { authorizePlan } from './plan/authorize-plan.js';
export type * from './plan/filter/condition.js';
export type { StreamPlan } from './plan/list/plan-window.js';
export { mayScan, proposeListIndex } from './plan/may-scan.js';
export { authorizeBatch, BATCH_ROWS_MAX, planBatchSteps, planItem } from './plan/plan-batch.js';
export type { BatchItem, BatchPlan, OptionsOf } from './plan/plan-batch.js';
export { cacheShape, planByShape, type ShapeOptions } from './plan/plan-by-shape.js';
export type * from './plan/plan-parts.js';
export { planRequest } from './plan/plan-request.js';
export type * from './plan/plan.js';
export { versionColumns } from './plan/version-columns.js';
export { NESTED_RECORDS_MAX } from './plan/write/nested/nested-draft.js';
export type { NestedCreatePlan } from './plan/write/nested/nested-plan.js';
export { UPSERT_ROWS_MAX } from './plan/write/plan-upsert.js';

// The stage that plans imports of NDJSON and CSV
export { findRowsTable, parseImport, planImport, planImportRow, readImport } from './import/plan-import.js';
export type { ImportPlan, ImportRequest, ImportRow } from './import/plan-import.js';
export {
  MANY_ROWS_HINT,
  nameElementLine,
  nameLine,
  openRowReader,
  readRowsBodySteps,
  RECORD_VALUES_MAX,
  takeHeader,
  withElement,
  type RowsBody,
} from './import/read-rows-body.js';
export { createRecordSplitter, type RawRecord } from './import/record-splitter.js';
export type { RowReader, RowReaderOptions } from './import/row-reader.js';

// The stage that creates SQL statements
export { createStreamSource, type StreamPosition, type StreamSource } from './sql/read/stream-statement.js';
export type * from './sql/statement.js';
export { toStatements } from './sql/to-statements.js';
export { needsQuotes, quoteCsv, quoteWideNumbers } from './sql/value-writer.js';
export { importInserts, importUpsert } from './sql/write/import-statements.js';
export type { ImportInsert, ImportUpsert } from './sql/write/import-statements.js';
export { insertHalf } from './sql/write/insert-statements.js';
export { isUpsertRace, mayBeUpsertRace } from './sql/write/upsert-program.js';

// The stage that creates responses
export type * from './response/api-response.js';
export { createLineWriter, CSV_TYPE, NDJSON_TYPE } from './response/line-writer.js';
export type { LineOptions, LineTail, LineWriter, StreamFormat } from './response/line-writer.js';
export { isRecordFault, isStaleFault, mapDatabaseError } from './response/map-database-error.js';
export type { DatabaseFault } from './response/map-database-error.js';
export { streamTags, type RowTags } from './response/record-tag.js';
export { respondBatch } from './response/respond-batch.js';
export { arrayFormatOf, JSON_FRAME, rowFormatOf } from './response/row-format.js';
export type { FormatColumn, LongForm, RowFormat, RowFrame, ValueFormat } from './response/row-format.js';
export { createRowSink, recordsText } from './response/row-sink.js';
export { toResponse, toStreamHead } from './response/to-response.js';

export { ENGINE_LIMITS } from './engine-limits.js';
