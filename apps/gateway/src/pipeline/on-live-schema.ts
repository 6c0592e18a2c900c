import { AppError } from '@rowhouse/errors';
import { canonicalJson, ownMember } from '@rowhouse/schema-model';
import type { RightsView, SchemaUse } from '@rowhouse/snapshot-store';
import type { Tenant, TenantDatabase } from '../tenant/tenant.js';
import { askDatabase } from './ask-database.js';
import type { Gateway } from './gateway.js';
import { rideOutChange } from './ride-out-change.js';
import { StaleSchema } from './stale-schema.js';
import type { Trace } from './trace.js';

/**
 * What runs on a schema. `view`: the rights that the schema is seen with, which are those of the moment where they changed
 * since the request came in.
 */
export type SchemaWork<T> = (use: SchemaUse, view: RightsView) => Promise<T>;

/** Returns the tenant with the rights that its schema is seen with. */
export function seenBy(tenant: Tenant, view: RightsView): Tenant {
  return tenant.view === view ? tenant : { ...tenant, view };
}

/** The longest time for which one request waits, in however many pauses. */
const PAUSE_MS_MAX = 5_000;

/**
 * Runs `work` on the live schema as the rights see it. When the database turns out to be ahead of it, the worker is
 * asked to look, and `work` runs once more, as a whole, on what is live then.
 */
export async function onLiveSchema<T>(
  gateway: Gateway,
  database: TenantDatabase,
  view: RightsView,
  trace: Trace,
  work: SchemaWork<T>,
): Promise<T> {
  if (gateway.pulse.hasStoodStill(performance.now()) && !(await gateway.pulse.caughtUp())) throw schemaChanging('the process stood still and has not caught up');
  const shown = database.place.isOutdated ? await readView(gateway, database, view) : view;
  const use = gateway.schemas.use(database.record.id, shown) ?? (await loadSchema(gateway, database, shown));
  trace.mark('schema');
  let fault: StaleSchema;
  try {
    return await work(use, shown);
  } catch (error) {
    if (!(error instanceof StaleSchema)) throw error;
    fault = error;
  } finally {
    use.release();
  }
  trace.replanned();
  const ridden = await rideOutChange(gateway, database, () => readView(gateway, database, view), fault, work);
  if (ridden !== null) return ridden.result;
  if (fault.refusal !== null) throw fault.refusal;
  return onNewerSchema(gateway, database, await readView(gateway, database, view), use.number, work);
}

async function onNewerSchema<T>(gateway: Gateway, database: TenantDatabase, view: RightsView, number: number, work: SchemaWork<T>): Promise<T> {
  if (gateway.isFenced()) throw schemaChanging('the change log is silent');
  await gateway.detection.awaitNewer(database.record.id, number);
  const use = gateway.schemas.use(database.record.id, view) ?? (await loadSchema(gateway, database, view));
  try {
    return await work(use, view);
  } catch (error) {
    if (!(error instanceof StaleSchema)) throw error;
    if (error.refusal !== null) throw error.refusal;
    // A name that is nowhere, and no newer snapshot: perhaps the whole database is not there.
    await askDatabase(gateway, database);
    throw new AppError('schema.broken_object', { internal: `errno ${error.errno}: ${error.message}`, cause: error });
  } finally {
    use.release();
  }
}

/**
 * Returns the rights to go on with: columns that were hidden or shown since the request came in count at once. A request
 * whose tables were renamed goes on with the rights it began with, unless one of their columns may be hidden by now.
 */
async function readView({ tenants }: Gateway, database: TenantDatabase, view: RightsView): Promise<RightsView> {
  const current = await tenants.readCurrentView(database.record.id, view).catch((error: unknown) => {
    if (error instanceof AppError && error.code.startsWith('auth.')) throw error;
    // Without the platform database nothing changes either.
    return view;
  });
  if (current === view || canonicalJson(current.rights.tables) === canonicalJson(view.rights.tables)) return current;
  for (const [table, names] of Object.entries(current.rights.hiddenColumns)) {
    const hidden = ownMember(view.rights.hiddenColumns, table) ?? [];
    if (!names.every((name) => hidden.includes(name))) throw schemaChanging('columns were hidden while the request was at work');
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
  for (let loads = 0; loads < 2 || gateway.schemas.isPaused(id); ) {
    if (gateway.schemas.isPaused(id)) {
      hasWaited = true;
      if (performance.now() > endsAt || !(await gateway.schemas.awaitResumed(id))) throw schemaChanging('a name changes its meaning');
    } else {
      await gateway.schemas.load(id, database.pointer.number === 0 || loads > 0 ? null : database.pointer);
      loads += 1;
    }
    const use = gateway.schemas.use(id, view);
    if (use !== null) return hasWaited ? withCurrentRights(gateway, id, view, use) : use;
  }
  throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
}

/** Rights name tables and columns: those that a request began with may reach other ones once names have changed their meaning. */
async function withCurrentRights({ tenants }: Gateway, databaseId: string, view: RightsView, use: SchemaUse): Promise<SchemaUse> {
  try {
    if ((await tenants.readCurrentView(databaseId, view)).name === view.name) return use;
    throw schemaChanging('rights changed while the request waited');
  } catch (error) {
    use.release();
    throw error;
  }
}
