import { setTimeout as pause } from 'node:timers/promises';
import type { RightsView, SchemaUse } from '@rowhouse/snapshot-store';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';
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

/**
 * While the platform itself changes the schema: `work` runs again on the snapshot that was sent ahead, then on the live
 * one, in turns, since the change is made at some moment in between. Null when no change is under way, or when it did
 * not come to an end in time. Costs nothing but where a request has met a stale name.
 */
export async function rideOutChange<T>(
  gateway: Gateway, database: TenantDatabase, view: RightsView, fault: StaleSchema, work: (use: SchemaUse) => Promise<T>,
): Promise<{ readonly result: T } | null> {
  const { id } = database.record;
  if (!isPassingFault(fault.errno) && !(await isChanging(gateway, id))) return null;
  for (const [turn, pauseMs] of PAUSES_MS.entries()) {
    if (pauseMs > 0) await pause(pauseMs);
    const use = pickSchema(gateway, id, view, turn);
    if (use === null) return null;
    try {
      return { result: await work(use) };
    } catch (error) {
      if (!(error instanceof StaleSchema)) throw error;
    } finally {
      use.release();
    }
  }
  return null;
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
