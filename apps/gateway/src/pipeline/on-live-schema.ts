import { AppError } from '@rowhouse/errors';
import { canonicalJson, ownMember } from '@rowhouse/schema-model';
import type { RightsView, SchemaUse } from '@rowhouse/snapshot-store';
import type { Tenant, TenantDatabase } from '../tenant/tenant.js';
import { pingDatabase } from './ping-database.js';
import type { Gateway } from './gateway.js';
import { retryThroughSchemaChange } from './retry-through-schema-change.js';
import { StaleSchemaError } from './stale-schema-error.js';
import type { Trace } from './trace.js';

/**
 * Work on a schema. `view` is the set of rights under which the schema is seen. These are the current rights,
 * if they changed after the request arrived.
 */
export type SchemaWork<T> = (use: SchemaUse, view: RightsView) => Promise<T>;

/** Returns the tenant with the rights under which its schema is seen. */
export function seenBy(tenant: Tenant, view: RightsView): Tenant {
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
  gateway: Gateway,
  database: TenantDatabase,
  view: RightsView,
  trace: Trace,
  work: SchemaWork<T>,
): Promise<T> {
  if (gateway.pulse.hasStoodStill(performance.now()) && !(await gateway.pulse.caughtUp()))
    throw schemaChanging('the process stood still and has not caught up');
  const visible = database.place.isOutdated ? await readView(gateway, database, view) : view;
  const use =
    gateway.schemas.use(database.record.id, visible) ?? (await loadSchema(gateway, database, visible));
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
    gateway,
    database,
    () => readView(gateway, database, view),
    fault,
    work,
  );
  if (ridden !== null) return ridden.result;
  if (fault.refusal !== null) throw fault.refusal;
  return onNewerSchema(gateway, database, await readView(gateway, database, view), use.number, work);
}

async function onNewerSchema<T>(
  gateway: Gateway,
  database: TenantDatabase,
  view: RightsView,
  number: number,
  work: SchemaWork<T>,
): Promise<T> {
  if (gateway.isFenced()) throw schemaChanging('the change log is silent');
  await gateway.detection.awaitNewer(database.record.id, number);
  const use = gateway.schemas.use(database.record.id, view) ?? (await loadSchema(gateway, database, view));
  try {
    return await work(use, view);
  } catch (error) {
    if (!(error instanceof StaleSchemaError)) throw error;
    if (error.refusal !== null) throw error.refusal;
    // The name is unknown, and no newer snapshot exists. The whole database may be missing.
    await pingDatabase(gateway, database);
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
  { tenants }: Gateway,
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

async function loadSchema(gateway: Gateway, database: TenantDatabase, view: RightsView): Promise<SchemaUse> {
  const { id } = database.record;
  const endsAt = performance.now() + PAUSE_MS_MAX;
  let hasWaited = false;
  for (let loads = 0; loads < 2 || gateway.schemas.isPaused(id);) {
    if (gateway.schemas.isPaused(id)) {
      hasWaited = true;
      if (performance.now() > endsAt || !(await gateway.schemas.awaitResumed(id)))
        throw schemaChanging('a name changes its meaning');
    } else {
      await gateway.schemas.load(id, database.pointer.number === 0 || loads > 0 ? null : database.pointer);
      loads += 1;
    }
    const use = gateway.schemas.use(id, view);
    if (use !== null) return hasWaited ? withCurrentRights(gateway, id, view, use) : use;
  }
  throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
}

/**
 * Checks that the rights are unchanged. Rights name tables and columns, so after a rename the original rights
 * may refer to other tables.
 */
async function withCurrentRights(
  { tenants }: Gateway,
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
