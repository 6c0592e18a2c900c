import type { Role } from '@rowhouse/contracts';
import type { Account } from '../platform-db/entities/account.js';
import type { ApiKey } from '../platform-db/entities/api-key.js';
import type { ConnectionUser } from '../platform-db/entities/connection-user.js';
import type { MigrationRow } from '../platform-db/entities/migration-row.js';
import type { Project } from '../platform-db/entities/project.js';
import type { TenantDatabase } from '../platform-db/entities/tenant-database.js';

/**
 * The caller of a request. `tokenId` is set only for callers with a token, and the other members only for
 * callers with a cookie.
 */
export interface Caller {
  readonly account: Account;
  readonly via: 'session' | 'token';
  readonly sessionId: string | null;
  readonly sessionToken: string | null;
  readonly tokenId: string | null;
}

/** The resource that `{id}` names. The guard has checked that the caller may use it. */
export interface Reach {
  readonly organizationId: string;
  readonly role: Role;
  readonly project: Project | null;
  readonly database: TenantDatabase | null;
  readonly key: ApiKey | null;
  readonly connection: ConnectionUser | null;
  readonly migration: MigrationRow | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    reach: Reach | null;
  }
}
