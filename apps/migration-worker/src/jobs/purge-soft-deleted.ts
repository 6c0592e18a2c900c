import { sideSchemaName } from '@rowhouse/contracts';
import { AppError, UNKNOWN_SCHEMA } from '@rowhouse/errors';
import { quoteName, readServerFault } from '@rowhouse/mysql';
import type { SoftDeletedRow } from '@rowhouse/platform-store';
import { alterWithFirstAccepted } from '../online-ddl/steps/algorithm-fallback.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext, DatabaseAccess } from '../worker-context.js';
import { holdContext } from './hold-context.js';
import { renewLease, LEASE_MS } from './renew-lease.js';
import { readProbedServer } from '../servers/read-probed-server.js';

const ROWS_PER_CHECK = 20;
const LOCK_WAIT_SECONDS = 1;

/**
 * Permanently drops soft-deleted objects whose retention time has ended. Returns the number of dropped
 * objects. An object that cannot be locked at once is skipped, and tried again in the next check.
 */
export async function purgeSoftDeleted(ctx: WorkerContext): Promise<number> {
  let purged = 0;
  for (const object of await ctx.softDeleted.listExpired(ROWS_PER_CHECK)) {
    try {
      if (await purgeOne(ctx, object)) purged += 1;
    } catch (error) {
      ctx.logger.warn(
        { kept: object.id, database: object.databaseId, err: error },
        'a kept object could not be purged',
      );
    }
  }
  return purged;
}

/**
 * Drops one soft-deleted object. The claim is a lease that blocks migrations and moves of the database. No
 * platform row stays locked while the tenant's server works.
 */
async function purgeOne(ctx: WorkerContext, object: SoftDeletedRow): Promise<boolean> {
  if (!(await ctx.softDeleted.claimPurge(object, LEASE_MS))) return false;
  let isRemoved = false;
  try {
    await renewLease(
      () => ctx.softDeleted.beatPurge(object, LEASE_MS),
      ctx.logger,
      (lease) => drop(holdContext(ctx, lease), object),
    );
    isRemoved = true;
  } finally {
    const wasHeld = await ctx.softDeleted.endPurge(object, isRemoved);
    isRemoved &&= wasHeld;
  }
  return isRemoved;
}

async function drop(ctx: DatabaseAccess, object: SoftDeletedRow): Promise<void> {
  const database = await ctx.directory.readDatabase(object.databaseId);
  if (database.isDeleted) return;
  const server = await readProbedServer(ctx, database.serverId);
  const { capabilities } = server;
  if (capabilities === null)
    throw new AppError('db.unavailable', { internal: `server ${server.id} was not probed` });
  const accounts = await ctx.directory.listAccounts(database.id);
  await withConnection(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    // The lock wait is short, because migrations of the database wait for this purge.
    await connection.run(`SET SESSION lock_wait_timeout = ${LOCK_WAIT_SECONDS}`);
    if (object.kind === 'table') {
      await connection.run(
        `DROP TABLE IF EXISTS ${quoteName(sideSchemaName(database.schemaName))}.${quoteName(object.keptName)}`,
      );
      return;
    }
    // The table may have been renamed since the column was dropped.
    const [table] = await connection.rows<{ name: string }>(
      'SELECT TABLE_NAME AS name FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND COLUMN_NAME = ?',
      [database.schemaName, object.keptName],
    );
    if (table === undefined) return;
    // While an ALTER waits for its lock, it blocks all requests to the table. On MySQL, it waits at most for
    // this time; on MariaDB, it does not wait at all.
    if (capabilities.alterNowait) await connection.run('SET SESSION lock_wait_timeout = 0');
    await alterWithFirstAccepted(
      connection,
      `ALTER TABLE ${quoteName(table.name)} DROP COLUMN ${quoteName(object.keptName)}`,
      capabilities,
    );
  }).catch((error: unknown) => {
    // The owner has dropped the whole schema.
    if (readServerFault(error instanceof Error ? (error.cause ?? error) : error)?.errno !== UNKNOWN_SCHEMA)
      throw error;
  });
}
