import type { Provider } from '@nestjs/common';
import { AttemptLimiter } from './auth/attempt-limiter.js';
import { AuthService } from './auth/auth-service.js';
import { SessionService } from './auth/session-service.js';
import { DatabaseService } from './databases/database-service.js';
import { DatabaseUndoing } from './databases/database-undoing.js';
import { DeployService } from './deploys/deploy-service.js';
import { MigrationInserter } from './deploys/migration-inserter.js';
import { SchemaPlanner } from './deploys/schema-planner.js';
import { KeyService } from './keys/key-service.js';
import { InvitationService } from './organizations/invitation-service.js';
import { OrganizationService } from './organizations/organization-service.js';
import { ProjectMaker } from './projects/project-maker.js';
import { ProjectService } from './projects/project-service.js';
import { SnapshotReader } from './schema/snapshot-reader.js';
import { WorkingSchemaStore } from './schema/working-schema-store.js';
import { SignupService } from './signup/signup-service.js';
import { TokenService } from './tokens/token-service.js';

export const SERVICES: Provider[] = [
  AttemptLimiter, AuthService, DatabaseService, DatabaseUndoing, DeployService, InvitationService, KeyService, MigrationInserter, OrganizationService,
  ProjectMaker, ProjectService, SchemaPlanner, SessionService, SignupService, SnapshotReader, TokenService, WorkingSchemaStore,
];
