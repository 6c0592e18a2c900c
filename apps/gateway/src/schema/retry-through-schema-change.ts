import { setTimeout as pause } from 'node:timers/promises';
import type { GatewayDirectory } from '@rowhouse/platform-store';
import type { RightsView, SchemaUse, LiveSchemas, PreparedSchemas } from '@rowhouse/snapshot-store';
import type { TenantDirectory } from '../tenant/tenant-directory.js';
import type { TenantDatabase } from '../tenant/tenant.js';

/**
 * Work on a schema. `view` is the set of rights under which the schema is seen. These are the current rights,
 * if they changed after the request arrived.
 */
export type SchemaWork<T> = (use: SchemaUse, view: RightsView) => Promise<T>;

/** Thrown when the database does not know a name or a shape of the snapshot. Everything was rolled back. */
export class StaleSchemaError extends Error {
  /** `refusal` is the error to report when the same statement fails again with the same error. */
  constructor(
    readonly errno: number,
    message: string,
    readonly refusal: Error | null = null,
  ) {
    super(message);
    this.name = 'StaleSchema';
  }
}
export interface SchemaRetryServices {
  readonly tenants: TenantDirectory;
  readonly schemas: LiveSchemas;
  /** The schemas that workers send ahead of a change. */
  readonly prepared: PreparedSchemas;
  readonly directory: GatewayDirectory;
}

/**
 * Errors that do not mean that the plan is wrong. A definition changed during a transaction, a statement must
 * be prepared again, or MySQL met a nested cascade while foreign keys were replaced.
 */
const PASSING_NUMBERS = new Set([1412, 1615, 6575]);

function isPassingFault(errno: number): boolean {
  return PASSING_NUMBERS.has(errno);
}

/**
 * The pauses add up to 1.5 seconds. A rename takes milliseconds. On MariaDB a table with triggers is
 * unavailable until the server has renamed all of it, which takes longer on a busy disk.
 */
const PAUSES_MS = [0, 5, 10, 20, 40, 75, 100, 150, 250, 350, 500];

/**
 * Used when the gateway itself finds that the rights of a request are outdated. No server uses this number.
 */
export const RIGHTS_CHANGED = -1;
/**
 * The errors of missing rights. A server cannot replace a right on a table by rights on its columns
 * atomically.
 */
const RIGHT_NUMBERS = new Set([1142, 1143]);
const RIGHT_PAUSES_MS = [0, 5, 10, 20, 40, 75, 100];

/**
 * Repeats a request that met a schema change by the platform. It runs `work` alternately on the schema sent
 * ahead and on the live one, because the change happens at some moment in between. Returns null when no
 * change is in progress or it does not end in time. It only costs time for requests that met an outdated
 * name.
 */
export async function retryThroughSchemaChange<T>(
  services: SchemaRetryServices,
  database: TenantDatabase,
  readView: () => Promise<RightsView>,
  fault: StaleSchemaError,
  work: SchemaWork<T>,
): Promise<{ readonly result: T } | null> {
  const { id } = database.record;
  const pausesMs = await listPauses(services, id, fault);
  for (const [iteration, pauseMs] of pausesMs.entries()) {
    if (pauseMs > 0) await pause(pauseMs);
    const view = await readView();
    const use = pickSchema(services, id, view, iteration);
    if (use === null) return null;
    try {
      return { result: await work(use, view) };
    } catch (error) {
      if (!(error instanceof StaleSchemaError)) throw error;
    } finally {
      use.release();
    }
  }
  return null;
}

/** Returns the pauses before each attempt. Empty when no change is known. */
async function listPauses(
  services: SchemaRetryServices,
  databaseId: string,
  fault: StaleSchemaError,
): Promise<readonly number[]> {
  if (isPassingFault(fault.errno) || (await isChanging(services, databaseId))) return PAUSES_MS;
  return isOfRights(services, databaseId, fault.errno) ? RIGHT_PAUSES_MS : [];
}

/**
 * Returns whether an error may come from rights that are being changed, so that the same statement may
 * succeed soon.
 */
export function isOfRights(
  { tenants }: Pick<SchemaRetryServices, 'tenants'>,
  databaseId: string,
  errno: number,
): boolean {
  return RIGHTS_CHANGED === errno || (RIGHT_NUMBERS.has(errno) && tenants.hasChangedLately(databaseId));
}

/**
 * Returns whether a migration is running, and loads the schema that it sent ahead. Returns false when the
 * platform database is unavailable.
 */
async function isChanging(services: SchemaRetryServices, databaseId: string): Promise<boolean> {
  try {
    if (!(await services.directory.isChanging(databaseId))) return false;
    await services.prepared.load(databaseId);
    return true;
  } catch {
    return false;
  }
}

function pickSchema(
  services: SchemaRetryServices,
  databaseId: string,
  view: RightsView,
  iteration: number,
): SchemaUse | null {
  const live = services.schemas.use(databaseId, view);
  if (live === null || iteration % 2 === 1) return live;
  const ahead = services.prepared.use(databaseId, view, live.number);
  if (ahead === null) return live;
  live.release();
  return ahead;
}
