import {
  WritesPausedError,
  runStatements,
  type RunOptions,
  type RunPair,
  type RunStatement,
  type RunTarget,
  type TenantPools,
} from '@rowhouse/mysql';
import type { TenantDirectory } from '../tenant/tenant-directory.js';
import type { TenantDatabase } from '../tenant/tenant.js';

export interface PlacementServices {
  readonly pools: TenantPools;
  readonly tenants: TenantDirectory;
}

/**
 * Runs statements at the database's current location. While a move pauses writes, a request that may write
 * waits before it sends anything, and then runs at the new location. Rejects with the errors of
 * `runStatements`, or with `db.unavailable` when the move takes too long.
 */
export function runAtPlacement<T>(
  services: PlacementServices,
  database: TenantDatabase,
  toTarget: (database: TenantDatabase) => RunTarget,
  options: RunOptions,
  callback: (run: RunStatement, runPair: RunPair) => Promise<T>,
): Promise<T> {
  return atPlacement(services, database, (current) =>
    runStatements(services.pools, toTarget(current), options, callback),
  );
}

/**
 * Calls `run` with the database's current location, and again with the new location after a move. `run` must
 * reject with WritesPausedError when it sent nothing because writes are paused.
 */
export async function atPlacement<T>(
  { tenants }: Pick<PlacementServices, 'tenants'>,
  database: TenantDatabase,
  run: (current: TenantDatabase) => Promise<T>,
): Promise<T> {
  for (let current = newestOf(database); ;) {
    try {
      return await run(current);
    } catch (error) {
      if (!(error instanceof WritesPausedError)) throw error;
      current = await tenants.awaitPlacement(current);
    }
  }
}

/** Returns the newest known record of the database. */
export function newestOf(database: TenantDatabase): TenantDatabase {
  let newest = database;
  while (newest.placement.latest !== null) newest = newest.placement.latest;
  return newest;
}

/** Waits until writes are allowed, and returns the database at its current location. */
export async function findWritablePlacement(
  services: Pick<PlacementServices, 'tenants'>,
  database: TenantDatabase,
): Promise<TenantDatabase> {
  const newest = newestOf(database);
  return newest.placement.isPaused ? services.tenants.awaitPlacement(newest) : newest;
}
