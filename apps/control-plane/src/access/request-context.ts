import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { AppError } from '@rowhouse/errors';
import type { FastifyRequest } from 'fastify';
import type { ApiKey } from '../platform-db/entities/api-key.js';
import type { ConnectionUser } from '../platform-db/entities/connection-user.js';
import type { MigrationRow } from '../platform-db/entities/migration-row.js';
import type { Project } from '../platform-db/entities/project.js';
import type { TenantDatabase } from '../platform-db/entities/tenant-database.js';
import type { Caller, Reach } from './caller.js';

/**
 * One request of the control API without framework objects, for services. Reading a member that the route's
 * rule did not load throws.
 */
export class RequestContext {
  readonly address: string;
  readonly requestId: string;
  readonly userAgent: string;

  constructor(
    readonly callerOrNone: Caller | null,
    readonly reachOrNone: Reach | null,
    from: { readonly address: string; readonly requestId: string; readonly userAgent: string },
  ) {
    this.address = from.address;
    this.requestId = from.requestId;
    this.userAgent = from.userAgent;
  }

  get caller(): Caller {
    return present(this.callerOrNone, 'caller');
  }
  get accountId(): string {
    return this.caller.account.id;
  }
  get reach(): Reach {
    return present(this.reachOrNone, 'reach');
  }
  get project(): Project {
    return present(this.reach.project, 'project');
  }
  get database(): TenantDatabase {
    return present(this.reach.database, 'database');
  }
  get key(): ApiKey {
    return present(this.reach.key, 'key');
  }
  get connection(): ConnectionUser {
    return present(this.reach.connection, 'connection');
  }
  /** Returns a copy of the context for another migration of the same database. */
  withMigration(migration: MigrationRow): RequestContext {
    return new RequestContext(this.caller, { ...this.reach, migration }, this);
  }
  get migration(): MigrationRow {
    return present(this.reach.migration, 'migration');
  }
}

function present<T>(value: T | null, name: string): T {
  if (value === null)
    throw new AppError('internal.defect', { internal: `the route's access rule loads no ${name}` });
  return value;
}

/** Returns the request as a `RequestContext`. */
function toRequestContext(req: FastifyRequest): RequestContext {
  const userAgent = String(req.headers['user-agent'] ?? '').slice(0, 300);
  return new RequestContext(req.caller, req.reach, { address: req.ip, requestId: req.id, userAgent });
}

/** A parameter decorator that passes the `RequestContext` to a handler. */
export const Call = createParamDecorator((_data: unknown, context: ExecutionContext): RequestContext =>
  toRequestContext(context.switchToHttp().getRequest<FastifyRequest>()),
);
