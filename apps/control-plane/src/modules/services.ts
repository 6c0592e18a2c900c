import type { Provider } from '@nestjs/common';
import { AccountDeletion } from './account/account-deletion.js';
import { AccountService } from './account/account-service.js';
import { EmailTokenService } from './account/email-token-service.js';
import { MoveService } from './admin/move-service.js';
import { PlanService } from './admin/plan-service.js';
import { QueueBoardService } from './admin/queue-board-service.js';
import { RouteService } from './admin/route-service.js';
import { ServerService } from './admin/server-service.js';
import { AuditService } from './audit/audit-service.js';
import { AttemptLimiter } from './auth/attempt-limiter.js';
import { AuthService } from './auth/auth-service.js';
import { SessionService } from './auth/session-service.js';
import { CodeService } from './code/code-service.js';
import { ConnectionService } from './connections/connection-service.js';
import { DatabaseService } from './databases/database-service.js';
import { DatabasePlacement } from './databases/database-placement.js';
import { DatabaseRemoval } from './databases/database-removal.js';
import { DatabaseSettingsService } from './databases/database-settings.js';
import { HiddenColumnsKeeper } from './databases/column-settings.js';
import { ValueIndexService } from './databases/value-index-service.js';
import { DeployService } from './deploys/deploy-service.js';
import { DeployedRevisions } from './deploys/deployed-revisions.js';
import { DriftService } from './deploys/drift-service.js';
import { MigrationInserter } from './deploys/migration-inserter.js';
import { PromoteService } from './deploys/promote-service.js';
import { SchemaPlanner } from './deploys/schema-planner.js';
import { KeyService } from './keys/key-service.js';
import { SessionKeyService } from './keys/session-key-service.js';
import { LanguageModelService } from './language-models/language-model-service.js';
import { Mailer } from './mail/mailer.js';
import { MigrationService } from './migrations/migration-service.js';
import { Watchers } from './migrations/watchers.js';
import { RevertService } from './migrations/revert-service.js';
import { FailureNotices } from './mail/failure-notices.js';
import { InvitationService } from './organizations/invitation-service.js';
import { MemberCredentials } from './organizations/member-credentials.js';
import { OrganizationService } from './organizations/organization-service.js';
import { ProjectMaker } from './projects/project-maker.js';
import { ProjectService } from './projects/project-service.js';
import { QuestionService } from './questions/question-service.js';
import { SavedQueryService } from './questions/saved-query-service.js';
import { DirectChanges } from './schema/direct-changes.js';
import { DraftService } from './schema/draft-service.js';
import { RevisionService } from './schema/revision-service.js';
import { SchemaService } from './schema/schema-service.js';
import { SnapshotReader } from './schema/snapshot-reader.js';
import { TakeDirectService } from './schema/take-direct-service.js';
import { WorkingSchemaStore } from './schema/working-schema-store.js';
import { SignupService } from './signup/signup-service.js';
import { SynonymService } from './synonyms/synonym-service.js';
import { LimitService } from './telemetry/limit-service.js';
import { RequestLogService } from './telemetry/request-log-service.js';
import { UsageBreakdownService } from './telemetry/usage-breakdown-service.js';
import { UsageService } from './telemetry/usage-service.js';
import { PasskeyService } from './passkeys/passkey-service.js';
import { PasskeyVerifier } from './passkeys/passkey-verifier.js';
import { SecondFactorCheck } from './two-factor/second-factor-check.js';
import { SignInStates } from './two-factor/sign-in-states.js';
import { TwoFactorService } from './two-factor/two-factor-service.js';
import { TokenService } from './tokens/token-service.js';
import { CloneService } from './shares/clone-service.js';
import { ShareService } from './shares/share-service.js';
import { BackupSchedule } from './transfers/backup-schedule.js';
import { ExportService } from './transfers/export-service.js';
import { ImportService } from './transfers/import-service.js';
import { LoadService } from './transfers/load-service.js';
import { RestoreService } from './transfers/restore-service.js';
import { SeedService } from './transfers/seed-service.js';
import { TransferFiles } from './transfers/transfer-files.js';

export const SERVICES: Provider[] = [
  AccountDeletion,
  AccountService,
  EmailTokenService,
  LimitService,
  UsageBreakdownService,
  FailureNotices,
  Mailer,
  AttemptLimiter,
  AuditService,
  AuthService,
  CodeService,
  ConnectionService,
  DatabasePlacement,
  DatabaseService,
  DatabaseSettingsService,
  DatabaseRemoval,
  DeployService,
  DraftService,
  DriftService,
  HiddenColumnsKeeper,
  InvitationService,
  KeyService,
  LanguageModelService,
  MigrationInserter,
  MigrationService,
  Watchers,
  OrganizationService,
  MemberCredentials,
  ProjectMaker,
  ProjectService,
  PromoteService,
  QuestionService,
  SavedQueryService,
  SchemaPlanner,
  SchemaService,
  ServerService,
  SessionKeyService,
  SessionService,
  SignupService,
  SnapshotReader,
  MoveService,
  PlanService,
  QueueBoardService,
  RouteService,
  RequestLogService,
  SynonymService,
  TokenService,
  UsageService,
  ValueIndexService,
  RevertService,
  WorkingSchemaStore,
  DeployedRevisions,
  DirectChanges,
  RevisionService,
  TakeDirectService,
  BackupSchedule,
  CloneService,
  ExportService,
  ImportService,
  LoadService,
  RestoreService,
  SeedService,
  ShareService,
  TransferFiles,
  PasskeyService,
  PasskeyVerifier,
  SecondFactorCheck,
  SignInStates,
  TwoFactorService,
];
