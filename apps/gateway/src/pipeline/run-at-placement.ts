import {
  WritesPausedError,
  runStatements,
  type RunOptions,
  type RunPair,
  type RunStatement,
  type RunTarget,
} from '@rowhouse/mysql';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';

/**
 * Runs statements at the database's current location. While a move holds the writes, a request that may write
 * waits before it sends anything, and then runs at the new location. Rejects like `runStatements`, and with
 * `db.unavailable` when the move takes too long.
 */
export function runAtPlacement<T>(
  gateway: Pick<Gateway, 'pools' | 'tenants'>,
  database: TenantDatabase,
  toTarget: (database: TenantDatabase) => RunTarget,
  options: RunOptions,
  callback: (run: RunStatement, runPair: RunPair) => Promise<T>,
): Promise<T> {
  return atPlace(gateway, database, (current) =>
    runStatements(gateway.pools, toTarget(current), options, callback),
  );
}

/**
 * Does the same for a function. `run` must reject with WritesPausedError when it sent nothing because writes are
 * held.
 */
export async function atPlace<T>(
  { tenants }: Pick<Gateway, 'tenants'>,
  database: TenantDatabase,
  run: (current: TenantDatabase) => Promise<T>,
): Promise<T> {
  for (let current = newestOf(database); ;) {
    try {
      return await run(current);
    } catch (error) {
      if (!(error instanceof WritesPausedError)) throw error;
      current = await tenants.awaitPlace(current);
    }
  }
}

/** Returns the newest version of the database record that requests have waited for. */
export function newestOf(database: TenantDatabase): TenantDatabase {
  let newest = database;
  while (newest.place.latest !== null) newest = newest.place.latest;
  return newest;
}

/** Returns the database at the location where writes may go now. */
export async function findPlace(
  gateway: Pick<Gateway, 'tenants'>,
  database: TenantDatabase,
): Promise<TenantDatabase> {
  const newest = newestOf(database);
  return newest.place.isShut ? gateway.tenants.awaitPlace(newest) : newest;
}
