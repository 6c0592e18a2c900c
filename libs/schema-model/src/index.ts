/**
 * Defines what a deployed schema consists of: the types of a snapshot, stable names, row keys and value
 * kinds. It also contains the view of a schema for a set of rights, and the reserved words of query keys. The
 * package does not depend on HTTP or on where snapshots are stored. It handles SQL only in the form in which
 * an engine returns it.
 */
export { findDanglingKey } from './find-dangling-key.js';
export { canonicalJson } from './canonical-json.js';
export { compileSnapshot } from './compile/compile-snapshot.js';
export { compileTablesSteps } from './compile/compile-snapshot.js';
export { describeIndex, type IndexEntry } from './describe-schema.js';
export {
  describeSchema,
  describeSchemaSteps,
  type ColumnDescription,
  type SchemaDescription,
  type SchemaHeading,
  type TableDescription,
} from './describe-schema.js';
export { effectiveVerbs } from './compile/compiled-snapshot.js';
export { ownMember } from './compile/with-number-columns.js';
export { findAlike } from './naming/to-singular.js';
export { findCreatedColumn } from './naming/find-created-column.js';
export { listCodeTables } from './list-code-tables.js';
export { mapTables } from './steps.js';
export { memoizeByObject } from './memoize-by-object.js';
export { RESERVED_SEGMENTS } from './naming/name-paths.js';
export { nameSnapshot, nameSnapshotSteps } from './naming/name-snapshot.js';
export { INTEGER_BITS, integerRange } from './naming/to-value-kind.js';
export { DOUBLE_BITS, isWide } from './naming/to-value-kind.js';
export { isFilledUuid } from './naming/find-created-column.js';
export { isIePlural } from './naming/to-singular.js';
export { isLike } from './is-like.js';
export { leadingColumns, proposeIndex } from './propose-index.js';
export {
  COMPARISON_OPERATORS,
  FILTER_OPERATORS,
  PATTERN_OPERATORS,
  TIME_OPERATORS,
  FILTERS_PARAMETER,
  QUERY_CONTROLS,
  RESERVED_OPERATORS,
  type FilterOperator,
  type QueryControl,
} from './query-words.js';
export { quoteName, readExpression, skipQuoted } from './sql-text.js';
export { toSingular } from './naming/to-singular.js';
export type * from './row-format.js';
export { doSteps, runStepsInSlices, type Steps } from './steps.js';
export { toUrlPath } from './naming/name-paths.js';
export { toValueKind } from './naming/to-value-kind.js';
export { isTinyBoolean } from './compile/with-number-columns.js';
export type * from './compile/compiled-snapshot.js';
export type * from './raw-schema.js';
export type * from './types.js';
