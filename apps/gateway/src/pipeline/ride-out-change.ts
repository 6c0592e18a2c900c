import { setTimeout as pause } from 'node:timers/promises';
import type { RightsView, SchemaUse } from '@rowhouse/snapshot-store';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';
import type { SchemaWork } from './on-live-schema.js';
import { StaleSchema } from './stale-schema.js';

/**
 * A definition changed under a transaction, a statement that has to be prepared again, a cascade inside a cascade while
 * keys change over (MySQL): nothing is wrong with the plan.
 */
const PASSING_NUMBERS = new Set([1412, 1615, 6575]);

function isPassingFault(errno: number): boolean {
  return PASSING_NUMBERS.has(errno);
}

/**
 * Together a second and a half. A change of names takes milliseconds, but where triggers change over with their tables
 * (MariaDB) the name is away for so long as the server needs for all of it, and on a busy disk that is longer.
 */
const PAUSES_MS = [0, 5, 10, 20, 40, 75, 100, 150, 250, 350, 500];

/** The gateway itself found that the rights of a request are no longer its key's. No server uses this number. */
export const RIGHTS_CHANGED = -1;
/** Refusals of a right. A server has no way to change a right on a table into rights on its columns at once. */
const RIGHT_NUMBERS = new Set([1142, 1143]);
const RIGHT_PAUSES_MS = [0, 5, 10, 20, 40, 75, 100];

/**
 * While the platform itself changes the schema: `work` runs again on the snapshot that was sent ahead, then on the live
 * one, in turns, since the change is made at some moment in between. Null when no change is under way, or when it did
 * not come to an end in time. Costs nothing but where a request has met a stale name.
 */
export async function rideOutChange<T>(
  gateway: Gateway, database: TenantDatabase, readView: () => Promise<RightsView>, fault: StaleSchema, work: SchemaWork<T>,
): Promise<{ readonly result: T } | null> {
  const { id } = database.record;
  const pausesMs = await listPauses(gateway, id, fault);
  for (const [turn, pauseMs] of pausesMs.entries()) {
    if (pauseMs > 0) await pause(pauseMs);
    const view = await readView();
    const use = pickSchema(gateway, id, view, turn);
    if (use === null) return null;
    try {
      return { result: await work(use, view) };
    } catch (error) {
      if (!(error instanceof StaleSchema)) throw error;
    } finally {
      use.release();
    }
  }
  return null;
}

/** Returns the pauses before each try; none when nothing is known to change. */
async function listPauses(gateway: Gateway, databaseId: string, fault: StaleSchema): Promise<readonly number[]> {
  if (isPassingFault(fault.errno) || (await isChanging(gateway, databaseId))) return PAUSES_MS;
  return isOfRights(gateway, databaseId, fault.errno) ? RIGHT_PAUSES_MS : [];
}

/** Whether a refusal may be due to rights that are being changed, so that the same statement may pass in a moment. */
export function isOfRights({ tenants }: Pick<Gateway, 'tenants'>, databaseId: string, errno: number): boolean {
  return RIGHTS_CHANGED === errno || (RIGHT_NUMBERS.has(errno) && tenants.hasChangedLately(databaseId));
}

/** Whether a migration is at work; what it has sent ahead is in memory then. With the platform database away: no. */
async function isChanging(gateway: Gateway, databaseId: string): Promise<boolean> {
  try {
    if (!(await gateway.directory.isChanging(databaseId))) return false;
    await gateway.prepared.load(databaseId);
    return true;
  } catch {
    return false;
  }
}

function pickSchema(gateway: Gateway, databaseId: string, view: RightsView, turn: number): SchemaUse | null {
  const live = gateway.schemas.use(databaseId, view);
  if (live === null || turn % 2 === 1) return live;
  const ahead = gateway.prepared.use(databaseId, view, live.number);
  if (ahead === null) return live;
  live.release();
  return ahead;
}
