/**
 * Computes how one schema is changed to another: the differences, the ordered steps with their classes and
 * losses, and the impact on the API. It also converts edits and plain sentences to SQL, and a schema to SQL
 * text.
 *
 * The library is pure: it uses no I/O, clock or randomness. It does not guess renames, does not decide what a
 * server can change in place, and does not run statements.
 */
export { plainStep } from './diff/alter-step.js';
export { attachUses, type KeyUse } from './attach-uses.js';
export {
  chooseStrategy,
  type StepProperties,
  type StrategyBounds,
  type TestedAlgorithm,
} from './choose-strategy.js';
export { listCreateObjects, listCreateStatements, type CreateObject } from './list-create-statements.js';
export { CHECK_NUMBER_FROM } from './diff/diff-constraints.js';
export { diffSnapshots, diffSnapshotsSteps } from './diff/diff-snapshots.js';
export { editsToSql } from './draft/edits-to-sql.js';
export type * from './draft/edit-types.js';
export { changedColumnText } from './draft/column-text.js';
export { readRequest, REQUEST_FORMS, type ReadRequest } from './draft/read-request.js';
export { orderMoves } from './lineage/rename-snapshot.js';
export { listExclusive, listLosing } from './lineage/plan-exclusive.js';
export { listChecked } from './lineage/predict-checks.js';
export { findBroken, findInRenames, type Use } from './find-uses.js';
export { findStopwordTables } from './find-stopword-tables.js';
export { findUnindexedKeys, type UnindexedKey } from './find-unindexed-keys.js';
export {
  lineageBetween,
  lineageOfHints,
  nameStateOf,
  type Lineage,
  type TakenNames,
} from './lineage/lineage.js';
export type { ColumnNameChange, NameChange } from './lineage/name-state.js';
export { IdentitySource, type NameState, type SchemaNames } from './lineage/name-state.js';
export { DroppedObjects, NameTracker, UnknownNameError } from './lineage/name-tracker.js';
export { retainedName, RESERVED_PREFIX } from './retained-name.js';
export { hashInput } from './structure-text.js';
export { selectConcerned } from './select-concerned.js';
export { planRevert, type RevertPlan } from './plan-revert.js';
export { type RevertInput } from './lineage/reverse-lineage.js';
export { structureText, tableStructureText } from './structure-text.js';
export { temporaryDefault } from './diff/temporary-default.js';
export type * from './types.js';
