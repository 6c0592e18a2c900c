import { AppError } from '@rowhouse/errors';
import { ownMember } from '@rowhouse/schema-model';
import type { LiveSchemas } from '@rowhouse/snapshot-store';
import { LIMITS } from '../limits/limits.js';
import { StaleSchemaError } from '../schema/retry-through-schema-change.js';
import { assertPlacementReady, type TenantServices } from '../tenant/open-tenant.js';
import type { Tenant } from '../tenant/tenant.js';

export interface StreamWatchServices extends TenantServices {
  readonly schemas: LiveSchemas;
}

const INTERVAL_MS = 100;

export interface WatchedStream {
  readonly services: StreamWatchServices;
  /** The tenant at the start of the stream. */
  readonly tenant: Tenant;
  /** The number of the snapshot for which the stream was planned. */
  readonly number: number;
  readonly address: string;
  /** Returns whether part of the response was sent, so that the stream cannot start again. */
  readonly isOpen: () => boolean;
  /** Throws when the current rights do not allow the stream. */
  readonly authorize: (tenant: Tenant) => void;
}

export interface StreamWatch {
  /** Returns the current tenant of the key. */
  tenant(): Tenant;
  end(): void;
}

/**
 * Checks the key, the rights and the schema of a stream every 100 ms. Aborts `stop` when it must not
 * continue.
 */
export function watchStream(stream: WatchedStream, stop: AbortController): StreamWatch {
  const { services } = stream;
  let tenant = stream.tenant;
  let isResolving = false;
  let oldSinceMs: number | null = null;

  function accept(current: Tenant): void {
    if (current === tenant) return;
    assertPlacementReady(current);
    if (hidesMore(stream.tenant, current)) {
      const rejection = new AppError('auth.scope', { detail: 'The rights of this key have changed.' });
      throw stream.isOpen() ? rejection : new StaleSchemaError({ kind: 'rights_changed' }, rejection);
    }
    stream.authorize(current);
    tenant = current;
  }

  function checkKey(): void {
    if (services.isChangeLogLost())
      throw new AppError('platform.unavailable', { internal: 'the change log has been silent for too long' });
    const current = services.tenants.find(tenant.keyHash);
    if (current !== null) return accept(current);
    if (isResolving) return;
    isResolving = true;
    services.tenants
      .resolve(tenant.keyHash, stream.address)
      .then(accept)
      .catch((error: unknown) => stop.abort(error))
      .finally(() => (isResolving = false));
  }

  function checkSchema(): void {
    const live = services.schemas.use(tenant.database.record.id, tenant.view);
    if (live === null) return;
    live.release();
    if (live.number <= stream.number) return;
    const nowMs = performance.now();
    oldSinceMs ??= nowMs;
    if (nowMs - oldSinceMs >= LIMITS.streamOldSchemaMsMax)
      throw new AppError('db.schema_changing', { internal: 'a stream outlived its schema' });
  }

  const timer = setInterval(() => {
    try {
      checkKey();
      checkSchema();
    } catch (error) {
      stop.abort(error);
    }
  }, INTERVAL_MS);
  return { tenant: () => tenant, end: () => clearInterval(timer) };
}

/** Returns whether a column is hidden now that was visible at the start. */
function hidesMore(before: Tenant, now: Tenant): boolean {
  const hidden = before.view.rights.hiddenColumns;
  return Object.entries(now.view.rights.hiddenColumns).some(([table, names]) =>
    names.some((name) => ownMember(hidden, table)?.includes(name) !== true),
  );
}
