import { AccountShut, runStatements, type RunOptions, type RunPair, type RunStatement, type RunTarget } from '@rowhouse/mysql';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';

/**
 * Runs statements where the database lies. What may write waits, before anything of it is sent, while a move holds the
 * writes, and runs at the new place. Throws as `runStatements` does, and `db.unavailable` where the move takes too long.
 */
export function runAtPlace<T>(
  gateway: Pick<Gateway, 'pools' | 'tenants'>, database: TenantDatabase, toTarget: (database: TenantDatabase) => RunTarget, options: RunOptions, work: (run: RunStatement, runPair: RunPair) => Promise<T>,
): Promise<T> {
  return atPlace(gateway, database, (current) => runStatements(gateway.pools, toTarget(current), options, work));
}

/** The same of what `run` does; it rejects with AccountShut where nothing of it was sent because writes are held. */
export async function atPlace<T>({ tenants }: Pick<Gateway, 'tenants'>, database: TenantDatabase, run: (current: TenantDatabase) => Promise<T>): Promise<T> {
  for (let current = newestOf(database); ; ) {
    try {
      return await run(current);
    } catch (error) {
      if (!(error instanceof AccountShut)) throw error;
      current = await tenants.awaitPlace(current);
    }
  }
}

/** As which it was read anew by whoever has waited for it. */
export function newestOf(database: TenantDatabase): TenantDatabase {
  let newest = database;
  while (newest.place.latest !== null) newest = newest.place.latest;
  return newest;
}

/** The same database where its writes may go now. */
export async function findPlace(gateway: Pick<Gateway, 'tenants'>, database: TenantDatabase): Promise<TenantDatabase> {
  const newest = newestOf(database);
  return newest.place.isShut ? gateway.tenants.awaitPlace(newest) : newest;
}
