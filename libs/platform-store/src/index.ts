/**
 * Contains the SQL with which gateways and workers read and write the platform's tables of their cell, with
 * the time of the platform database. The migrations of the control plane create these tables. This library
 * must not access tenant databases or cache data.
 */
export { changeSettings } from './directory/change-settings.js';
export { createAuditOutbox, type AuditOutbox, type OutgoingEvent } from './directory/audit-outbox.js';
export { createDetectStore, type DetectStore } from './directory/detect-store.js';
export { createWorkerDirectory, type WorkerDirectory } from './directory/worker-directory.js';
export type { BrokenRun, RevisionText } from './directory/schema-reads.js';
export type {
  AccountWithSchema,
  WorkerAccount,
  WorkerConnectionUser,
  WorkerDatabase,
  WorkerServer,
} from './directory/worker-records.js';
export {
  createSoftDeletedStore,
  type SoftDeletedRow,
  type SoftDeletedStore,
  type NewSoftDeletedObject,
} from './journal/soft-deleted-store.js';
export {
  createMigrationJournal,
  type ClaimedMigration,
  type MigrationBounds,
  type MigrationJournal,
} from './journal/migration-journal.js';
export {
  ACCOUNT_TASKS,
  createMoveJournal,
  type ClaimedMove,
  type MoveJournal,
  type MoveProgress,
} from './journal/move-journal.js';
export { createRequestPauses, type StartedPause, type RequestPauses } from './journal/request-pauses.js';
export {
  createStepJournal,
  type DdlStep,
  type JournalStep,
  type NewStep,
  type StepJournal,
  type StepOutcome,
  type StepState,
} from './journal/step-journal.js';
export {
  REBUILD_PHASES,
  UnreadableStepError,
  type DdlCheckpoint,
  type DdlPart,
  type ExclusivePosition,
  type PlainStepKind,
  type RebuildCheckpoint,
  type RebuildPhase,
  type RebuildPosition,
  type StepAction,
  type UserTrigger,
} from './journal/step-checkpoint.js';
export type {
  ChildKey,
  ComparableColumn,
  InnerKey,
  KeyColumn,
  LateKey,
  MovedKey,
  RebuildDetails,
  RebuildMember,
} from './journal/rebuild-details.js';
export { LeaseLostError } from './journal/lease-lost-error.js';
export { listGatewayLags, listLaggingGateways, type GatewayLag } from './publish/change-log.js';
export { appendChange } from './publish/change-log.js';
export { prepareSnapshot, withdrawPrepared, type SnapshotToPrepare } from './publish/snapshot-preparer.js';
export {
  publishSnapshot,
  type DirectChange,
  type PublishOutcome,
  type SnapshotToPublish,
} from './publish/snapshot-publisher.js';
export {
  createTaskJournal,
  type ClaimedTask,
  type TaskBounds,
  type TaskJournal,
} from './tasks/task-journal.js';
export {
  createTransferStore,
  cutProblems,
  type LoadRecord,
  type OpenFile,
  type TransferChunk,
  type TransferFileRecord,
  type TransferStore,
} from './tasks/transfer-store.js';
export { createGatewayChanges, type GatewayChanges, type GatewayLease } from './gateway/gateway-changes.js';
export {
  createGatewayDirectory,
  type GatewayDirectory,
  type SnapshotPointer,
} from './gateway/gateway-directory.js';
export {
  createGatewayQuestions,
  type GatewayQuestions,
  type ModelUse,
  type QuestionRow,
} from './gateway/gateway-questions.js';
export {
  createGatewayTelemetry,
  type GatewayTelemetry,
  type KeyUseRow,
  type RequestLogRow,
  type UsageRow,
} from './gateway/gateway-telemetry.js';
export { createGatewayWarmList, type GatewayWarmList, type UsedKey } from './gateway/gateway-warm-list.js';
export {
  createGatewayVocabulary,
  type GatewayVocabulary,
  type ProjectSynonym,
  type ValueIndexState,
} from './gateway/gateway-vocabulary.js';
export {
  createValueIndexJournal,
  type ClaimedValueIndex,
  type ValueIndexJournal,
  type ValueIndexSize,
} from './tasks/value-index-journal.js';
export {
  createRetentionStore,
  THE_BEGINNING,
  type Purged,
  type RetentionStore,
} from './retention/retention-store.js';
export { createStorageStore, type MeasuredDatabase, type StorageStore } from './retention/storage-store.js';
export {
  createShareStore,
  type EndedSession,
  type ShareStore,
  type SharedUser,
} from './retention/share-store.js';
export { createServerLeases, type ServerLeases } from './server-leases.js';
