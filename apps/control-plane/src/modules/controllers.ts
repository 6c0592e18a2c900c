import type { Type } from '@nestjs/common';
import { AccountController } from './account/account-controller.js';
import { MoveController } from './admin/move-controller.js';
import { PlanController } from './admin/plan-controller.js';
import { QueueBoardController } from './admin/queue-board-controller.js';
import { RouteController } from './admin/route-controller.js';
import { ServerController } from './admin/server-controller.js';
import { AuditController } from './audit/audit-controller.js';
import { AuthController } from './auth/auth-controller.js';
import { CodeController } from './code/code-controller.js';
import { ConnectionController } from './connections/connection-controller.js';
import { DatabaseController } from './databases/database-controller.js';
import { DeployController } from './deploys/deploy-controller.js';
import { KeyController } from './keys/key-controller.js';
import { McpController } from './mcp/mcp-controller.js';
import { MigrationController } from './migrations/migration-controller.js';
import { OrganizationController } from './organizations/organization-controller.js';
import { ProjectController } from './projects/project-controller.js';
import { QuestionController } from './questions/question-controller.js';
import { SchemaController } from './schema/schema-controller.js';
import { SignupController } from './signup/signup-controller.js';
import { LanguageModelController } from './language-models/language-model-controller.js';
import { PasskeyController } from './passkeys/passkey-controller.js';
import { SynonymController } from './synonyms/synonym-controller.js';
import { ShareController } from './shares/share-controller.js';
import { TransferController } from './transfers/transfer-controller.js';
import { TelemetryController } from './telemetry/telemetry-controller.js';
import { TwoFactorController } from './two-factor/two-factor-controller.js';
import { TokenController } from './tokens/token-controller.js';

/** All controllers of the control plane. A controller that is not listed is not served. */
export const CONTROLLERS: Type[] = [
  AccountController,
  AuditController,
  AuthController,
  CodeController,
  ConnectionController,
  DatabaseController,
  DeployController,
  KeyController,
  McpController,
  MigrationController,
  OrganizationController,
  LanguageModelController,
  MoveController,
  PlanController,
  QueueBoardController,
  RouteController,
  ProjectController,
  QuestionController,
  SchemaController,
  ServerController,
  SignupController,
  SynonymController,
  TelemetryController,
  TokenController,
  ShareController,
  TransferController,
  TwoFactorController,
  PasskeyController,
];
