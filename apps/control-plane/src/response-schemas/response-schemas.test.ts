import type {
  CreatedKeyResponse,
  DatabaseResponse,
  DeployResponse,
  DiffResponse,
  KeyResponse,
  LoadResponse,
  MigrationResponse,
  ProjectResponse,
  SignupResponse,
} from '@rowhouse/contracts';
import { expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { signupResponse } from './accounts.js';
import type { createdKeyResponse, keyResponse } from './credentials.js';
import type { databaseResponse, projectResponse } from './databases.js';
import type { deployResponse, diffResponse, migrationResponse } from './migrations.js';
import type { loadResponse } from './transfers.js';

/** The contracts' members are readonly, which `satisfies` does not accept. */
type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Member in keyof T]: Mutable<T[Member]> }
    : T;

test('each response contract is assignable to the output type of its schema', () => {
  expectTypeOf<Mutable<DatabaseResponse>>().toExtend<z.output<typeof databaseResponse>>();
  expectTypeOf<Mutable<ProjectResponse>>().toExtend<z.output<typeof projectResponse>>();
  expectTypeOf<Mutable<MigrationResponse>>().toExtend<z.output<typeof migrationResponse>>();
  expectTypeOf<Mutable<DeployResponse>>().toExtend<z.output<typeof deployResponse>>();
  expectTypeOf<Mutable<DiffResponse>>().toExtend<z.output<typeof diffResponse>>();
  expectTypeOf<Mutable<SignupResponse>>().toExtend<z.output<typeof signupResponse>>();
  expectTypeOf<Mutable<KeyResponse>>().toExtend<z.output<typeof keyResponse>>();
  expectTypeOf<Mutable<CreatedKeyResponse>>().toExtend<z.output<typeof createdKeyResponse>>();
  expectTypeOf<Mutable<LoadResponse>>().toExtend<z.output<typeof loadResponse>>();
});
