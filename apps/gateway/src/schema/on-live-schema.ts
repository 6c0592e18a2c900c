import { AppError } from '@rowhouse/errors';
import { collectRows, runStatements, type TenantPools } from '@rowhouse/mysql';
import { canonicalJson, ownMember } from '@rowhouse/schema-model';
import type { RightsView, SchemaUse } from '@rowhouse/snapshot-store';
import type { ClockWatchdog } from '../changes/clock-watchdog.js';
import type { Trace } from '../telemetry/trace.js';
import type { Tenant, TenantDatabase } from '../tenant/tenant.js';
import type { Detection } from './detection.js';
import {
  retryThroughSchemaChange,
  StaleSchemaError,
  type SchemaWork,
  type SchemaRetryServices,
} from './retry-through-schema-change.js';

const OPTIONS = { mode: 'read', waitMs: 3_000, statementMsMax: 2_000 } as const;

/** Counts the schemas with a name. An open session keeps its schema name even after the schema is dropped. */
const COUNT_SCHEMAS = 'SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?';

export interface LiveSchemaServices extends SchemaRetryServices {
  readonly clockWatchdog: ClockWatchdog;
  readonly detection: Detection;
  readonly pools: TenantPools;
  /**
   * Returns whether the change log could not be read recently. In that state, an outdated name cannot be
   * distinguished from a wrong one.
   */
  isChangeLogStale(): boolean;
}

/** Returns the tenant with `view` as its rights. */
export function withView(tenant: Tenant, view: RightsView): Tenant {
  return tenant.view === view ? tenant : { ...tenant, view };
}

/** The maximum total time that one request waits for pauses. */
const PAUSE_MS_MAX = 5_000;

/**
 * Runs `work` on the live schema with the given rights. If the database does not match the schema, `work`
 * runs again as a whole. During a migration, it is retried on the schemas before and after the change.
 * Otherwise it runs on the schema that a worker then detects.
 */
export async function onLiveSchema<T>(
  services: LiveSchemaServices,
  database: TenantDatabase,
  view: RightsView,
  trace: Trace,
  work: SchemaWork<T>,
): Promise<T> {
  if (services.clockWatchdog.wasSuspended(performance.now()) && !(await services.clockWatchdog.caughtUp()))
    throw schemaChanging('the process was suspended and has not caught up');
  const visible = database.placement.isOutdated ? await readView(services, database, view) : view;
  const use =
    services.schemas.use(database.record.id, visible) ?? (await loadSchema(services, database, visible));
  trace.mark('schema');
  let staleness: StaleSchemaError;
  try {
    return await work(use, visible);
  } catch (error) {
    if (!(error instanceof StaleSchemaError)) throw error;
    staleness = error;
  } finally {
    use.release();
  }
  trace.replanned();
  const retried = await retryThroughSchemaChange(
    services,
    database,
    () => readView(services, database, view),
    staleness,
    work,
  );
  if (retried !== null) return retried.result;
  if (staleness.rejection !== null) throw staleness.rejection;
  return onNewerSchema(services, database, await readView(services, database, view), use.number, work);
}

async function onNewerSchema<T>(
  services: LiveSchemaServices,
  database: TenantDatabase,
  view: RightsView,
  number: number,
  work: SchemaWork<T>,
): Promise<T> {
  if (services.isChangeLogStale()) throw schemaChanging('the change log could not be read');
  await services.detection.awaitNewer(database.record.id, number);
  const use = services.schemas.use(database.record.id, view) ?? (await loadSchema(services, database, view));
  try {
    return await work(use, view);
  } catch (error) {
    if (!(error instanceof StaleSchemaError)) throw error;
    if (error.rejection !== null) throw error.rejection;
    // A name is unknown although no newer snapshot exists. The whole database may be missing.
    await pingDatabase(services.pools, database);
    throw new AppError('schema.broken_object', {
      internal: error.message,
      cause: error,
    });
  } finally {
    use.release();
  }
}

/**
 * Returns the rights to continue with. When the rights to tables have changed, for example by a rename, the
 * request keeps its original rights, because their names fit its plan.
 *
 * @throws AppError `db.schema_changing` when the request could still read a column that has been hidden since
 */
async function readView(
  { tenants }: Pick<LiveSchemaServices, 'tenants'>,
  database: TenantDatabase,
  view: RightsView,
): Promise<RightsView> {
  const current = await tenants.readCurrentView(database.record.id, view).catch((error: unknown) => {
    // Rights are stored in the platform database. While it is unavailable, they cannot change either. After
    // any other error the rights are unknown.
    if (error instanceof AppError && error.code === 'platform.unavailable') return view;
    throw error;
  });
  if (current === view || canonicalJson(current.rights.tables) === canonicalJson(view.rights.tables))
    return current;
  for (const [table, names] of Object.entries(current.rights.hiddenColumns)) {
    const hidden = ownMember(view.rights.hiddenColumns, table) ?? [];
    if (!names.every((name) => hidden.includes(name)))
      throw schemaChanging('columns were hidden during the request');
  }
  return view;
}

function schemaChanging(internal: string): AppError {
  return new AppError('db.schema_changing', { retryAfterSeconds: 1, internal });
}

async function loadSchema(
  services: LiveSchemaServices,
  database: TenantDatabase,
  view: RightsView,
): Promise<SchemaUse> {
  const { id } = database.record;
  const endsAt = performance.now() + PAUSE_MS_MAX;
  let hasWaited = false;
  for (let loads = 0; loads < 2 || services.schemas.isPaused(id);) {
    if (services.schemas.isPaused(id)) {
      hasWaited = true;
      if (performance.now() > endsAt || !(await services.schemas.awaitResumed(id)))
        throw schemaChanging('the database is paused');
    } else {
      await services.schemas.load(id, database.pointer.number === 0 || loads > 0 ? null : database.pointer);
      loads += 1;
    }
    const use = services.schemas.use(id, view);
    if (use !== null) return hasWaited ? withCurrentRights(services, id, view, use) : use;
  }
  throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
}

/**
 * Returns `use`, the schema that a request uses, if the key's rights have not changed since they were read.
 * Otherwise it fails. Rights contain names of tables and columns, so after a rename the original rights may
 * refer to other tables.
 */
async function withCurrentRights(
  { tenants }: Pick<LiveSchemaServices, 'tenants'>,
  databaseId: string,
  view: RightsView,
  use: SchemaUse,
): Promise<SchemaUse> {
  try {
    if ((await tenants.readCurrentView(databaseId, view)).name === view.name) return use;
    throw schemaChanging('rights changed while the request waited');
  } catch (error) {
    use.release();
    throw error;
  }
}

/**
 * Checks that the database responds and exists.
 *
 * @throws AppError `db.*` (503) otherwise
 */
export async function pingDatabase(pools: TenantPools, database: TenantDatabase): Promise<void> {
  const { rowsAccount: account, server, record } = database;
  if (account === null) throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
  const { rows } = await runStatements(pools, { server, account }, OPTIONS, (run) =>
    run(COUNT_SCHEMAS, [record.schemaName], collectRows({ bytesMax: 100 })),
  );
  if (Number(rows.rows[0]?.[0]) === 0) {
    throw new AppError('db.missing', {
      hint: "Create it again with CREATE DATABASE over an owner's connection string, then deploy its schema.",
    });
  }
}
