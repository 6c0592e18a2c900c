import type { Type } from '@nestjs/common';
import { AuthController } from './auth/auth-controller.js';
import { DatabaseController } from './databases/database-controller.js';
import { DeployController } from './deploys/deploy-controller.js';
import { KeyController } from './keys/key-controller.js';
import { OrganizationController } from './organizations/organization-controller.js';
import { ProjectController } from './projects/project-controller.js';
import { SignupController } from './signup/signup-controller.js';
import { TokenController } from './tokens/token-controller.js';

/** Every controller of the control plane. What is not listed here is not served. */
export const CONTROLLERS: Type[] = [
  AuthController, DatabaseController, DeployController, KeyController, OrganizationController, ProjectController, SignupController, TokenController,
];
