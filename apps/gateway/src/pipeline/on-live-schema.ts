import { AppError } from '@rowhouse/errors';
import { ownMember } from '@rowhouse/schema-model';
import type { RightsView, SchemaUse } from '@rowhouse/snapshot-store';
import type { TenantDatabase } from '../tenant/tenant.js';
import { askDatabase } from './ask-database.js';
import type { Gateway } from './gateway.js';
import { rideOutChange } from './ride-out-change.js';
import { StaleSchema } from './stale-schema.js';
import type { Trace } from './trace.js';

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
  work: (use: SchemaUse) => Promise<T>,
): Promise<T> {
  if (gateway.pulse.hasStoodStill(performance.now()) && !(await gateway.pulse.caughtUp())) throw schemaChanging('the process stood still and has not caught up');
  const use = gateway.schemas.use(database.record.id, view) ?? (await loadSchema(gateway, database, view));
  trace.mark('schema');
  let fault: StaleSchema;
  try {
    return await work(use);
  } catch (error) {
    if (!(error instanceof StaleSchema)) throw error;
    fault = error;
  } finally {
    use.release();
  }
  trace.replanned();
  await assertStillHidden(gateway, database, view);
  const ridden = await rideOutChange(gateway, database, view, fault, work);
  if (ridden !== null) return ridden.result;
  return onNewerSchema(gateway, database, view, use.number, work);
}

async function onNewerSchema<T>(gateway: Gateway, database: TenantDatabase, view: RightsView, number: number, work: (use: SchemaUse) => Promise<T>): Promise<T> {
  if (gateway.isFenced()) throw schemaChanging('the change log is silent');
  await gateway.detection.awaitNewer(database.record.id, number);
  const use = gateway.schemas.use(database.record.id, view) ?? (await loadSchema(gateway, database, view));
  try {
    return await work(use);
  } catch (error) {
    if (!(error instanceof StaleSchema)) throw error;
    // A name that is nowhere, and no newer snapshot: perhaps the whole database is not there.
    await askDatabase(gateway, database);
    throw new AppError('schema.broken_object', { internal: `errno ${error.errno}: ${error.message}`, cause: error });
  } finally {
    use.release();
  }
}

/** What was renamed since the request came in may be hidden under its new name, of which its rights do not know. */
async function assertStillHidden({ tenants }: Gateway, database: TenantDatabase, { rights }: RightsView): Promise<void> {
  // Without the platform database nothing is renamed either.
  const current = (await tenants.findDatabase(database.record.id).catch(() => null)) ?? database;
  for (const [table, names] of Object.entries(current.record.settings.hidden_columns)) {
    const hidden = ownMember(rights.hiddenColumns, table) ?? [];
    if (!names.every((name) => hidden.includes(name))) throw schemaChanging('columns were hidden while the request was at work');
  }
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
    if (await tenants.isCurrentView(databaseId, view)) return use;
    throw schemaChanging('rights changed while the request waited');
  } catch (error) {
    use.release();
    throw error;
  }
}
