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

/**
 * A session keeps the name of its schema after the schema is dropped, so the server is asked whether it
 * exists.
 */
const IS_THERE = 'SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?';

export interface LiveSchemaServices extends SchemaRetryServices {
  readonly clockWatchdog: ClockWatchdog;
  readonly detection: Detection;
  readonly pools: TenantPools;
  /** Returns whether the change log is silent. An outdated name cannot be distinguished from a wrong one then. */
  isChangeLogStale(): boolean;
}

/** Returns the tenant with the rights under which its schema is seen. */
export function withView(tenant: Tenant, view: RightsView): Tenant {
  return tenant.view === view ? tenant : { ...tenant, view };
}

/** The maximum total time that one request waits for pauses. */
const PAUSE_MS_MAX = 5_000;

/**
 * Runs `work` on the live schema under the given rights. When the database turns out to be newer than the
 * schema, the worker is asked to inspect it. Then `work` runs once more, as a whole, on the schema that is
 * live by then.
 */
export async function onLiveSchema<T>(
  services: LiveSchemaServices,
  database: TenantDatabase,
  view: RightsView,
  trace: Trace,
  work: SchemaWork<T>,
): Promise<T> {
  if (services.clockWatchdog.wasSuspended(performance.now()) && !(await services.clockWatchdog.caughtUp()))
    throw schemaChanging('the process stood still and has not caught up');
  const visible = database.placement.isOutdated ? await readView(services, database, view) : view;
  const use =
    services.schemas.use(database.record.id, visible) ?? (await loadSchema(services, database, visible));
  trace.mark('schema');
  let fault: StaleSchemaError;
  try {
    return await work(use, visible);
  } catch (error) {
    if (!(error instanceof StaleSchemaError)) throw error;
    fault = error;
  } finally {
    use.release();
  }
  trace.replanned();
  const ridden = await retryThroughSchemaChange(
    services,
    database,
    () => readView(services, database, view),
    fault,
    work,
  );
  if (ridden !== null) return ridden.result;
  if (fault.refusal !== null) throw fault.refusal;
  return onNewerSchema(services, database, await readView(services, database, view), use.number, work);
}

async function onNewerSchema<T>(
  services: LiveSchemaServices,
  database: TenantDatabase,
  view: RightsView,
  number: number,
  work: SchemaWork<T>,
): Promise<T> {
  if (services.isChangeLogStale()) throw schemaChanging('the change log is silent');
  await services.detection.awaitNewer(database.record.id, number);
  const use = services.schemas.use(database.record.id, view) ?? (await loadSchema(services, database, view));
  try {
    return await work(use, view);
  } catch (error) {
    if (!(error instanceof StaleSchemaError)) throw error;
    if (error.refusal !== null) throw error.refusal;
    // The name is unknown, and no newer snapshot exists. The whole database may be missing.
    await pingDatabase(services.pools, database);
    throw new AppError('schema.broken_object', {
      internal: `errno ${error.errno}: ${error.message}`,
      cause: error,
    });
  } finally {
    use.release();
  }
}

/**
 * Returns the current rights. Columns that were hidden or shown since the request arrived take effect
 * immediately. When tables were renamed, the request continues with its original rights, unless one of their
 * columns may be hidden by now.
 */
async function readView(
  { tenants }: Pick<LiveSchemaServices, 'tenants'>,
  database: TenantDatabase,
  view: RightsView,
): Promise<RightsView> {
  const current = await tenants.readCurrentView(database.record.id, view).catch((error: unknown) => {
    if (error instanceof AppError && error.code.startsWith('auth.')) throw error;
    // Without the platform database no rights change either.
    return view;
  });
  if (current === view || canonicalJson(current.rights.tables) === canonicalJson(view.rights.tables))
    return current;
  for (const [table, names] of Object.entries(current.rights.hiddenColumns)) {
    const hidden = ownMember(view.rights.hiddenColumns, table) ?? [];
    if (!names.every((name) => hidden.includes(name)))
      throw schemaChanging('columns were hidden while the request was at work');
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
        throw schemaChanging('a name changes its meaning');
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
 * Checks that the rights are unchanged. Rights name tables and columns, so after a rename the original rights
 * may refer to other tables.
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
    run(IS_THERE, [record.schemaName], collectRows({ bytesMax: 100 })),
  );
  if (Number(rows.rows[0]?.[0]) === 0) {
    throw new AppError('db.missing', {
      hint: "Create it again with CREATE DATABASE over an owner's connection string, then deploy its schema.",
    });
  }
}
