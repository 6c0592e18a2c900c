/**
 * Defines the shape of a deployed schema: snapshot types, stable names, row keys and value kinds. It also
 * contains the view of a schema under a set of rights and the reserved words of query keys. It knows nothing
 * of HTTP, of where snapshots are stored, or of SQL beyond what an engine reported.
 */
export { canonicalJson } from './canonical-json.js';
export { compileSnapshot } from './compile-snapshot.js';
export { compileTablesSteps } from './compile-tables.js';
export { describeIndex, type IndexEntry } from './describe-index.js';
export {
  describeSchema,
  describeSchemaSteps,
  type ColumnDescription,
  type SchemaDescription,
  type SchemaHeading,
  type TableDescription,
} from './describe-schema.js';
export { effectiveVerbs } from './effective-verbs.js';
export { ownMember } from './own-member.js';
export { findAlike } from './find-alike.js';
export { findCreatedColumn } from './find-created-column.js';
export { listCodeTables } from './list-code-tables.js';
export { mapTables } from './map-tables.js';
export { RESERVED_SEGMENTS } from './name-paths.js';
export { nameSnapshot, nameSnapshotSteps } from './name-snapshot.js';
export { INTEGER_BITS, integerRange } from './integer-range.js';
export { DOUBLE_BITS, isWide } from './is-wide.js';
export { isFilledUuid } from './is-filled-uuid.js';
export { isIePlural } from './ie-plurals.js';
export { isLike } from './is-like.js';
export { leadingColumns, proposeIndex } from './propose-index.js';
export {
  FILTER_OPERATORS,
  QUERY_CONTROLS,
  RESERVED_OPERATORS,
  type FilterOperator,
  type QueryControl,
} from './query-words.js';
export { quoteName } from './quote-name.js';
export { readExpression } from './read-expression.js';
export { toSingular } from './to-singular.js';
export { skipQuoted } from './skip-quoted.js';
export type * from './row-format.js';
export { doSteps, runStepsInSlices, type Steps } from './steps.js';
export { toUrlPath } from './to-url-path.js';
export { toValueKind } from './to-value-kind.js';
export { isTinyBoolean } from './with-number-columns.js';
export type * from './compiled-snapshot.js';
export type * from './raw-schema.js';
export type * from './types.js';
