import { sideSchemaName } from '@rowhouse/contracts';
import { introspectTable, quoteName, readServerFault } from '@rowhouse/mysql';
import type { KeptRow } from '@rowhouse/platform-store';
import { climbLadder } from '../online-ddl/ladder.js';
import { prepareShortLocks } from '../online-ddl/short-locks.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

const ROWS_PER_LOOK = 20;
const LOCK_WAIT_SECONDS = 1;

/** Drops for good what was kept long enough. What cannot be had at once is left for the next look. */
export async function purgeKept(ctx: WorkerContext): Promise<number> {
  let purged = 0;
  for (const object of await ctx.kept.listExpired(ROWS_PER_LOOK)) {
    try {
      if (await ctx.kept.purge(object, () => drop(ctx, object))) purged += 1;
    } catch (error) {
      ctx.logger.warn({ kept: object.id, database: object.databaseId, err: error }, 'a kept object could not be purged');
    }
  }
  return purged;
}

async function drop(ctx: WorkerContext, object: KeptRow): Promise<void> {
  const database = await ctx.directory.readDatabase(object.databaseId);
  const server = await ctx.directory.readServer(database.serverId);
  const { capabilities } = server;
  if (database.isDeleted || capabilities === null) return;
  const accounts = await ctx.directory.listAccounts(database.id);
  await withConnection(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    await prepareShortLocks(connection);
    if (object.kind === 'table') {
      await connection.run(`DROP TABLE IF EXISTS ${quoteName(sideSchemaName(database.schemaName))}.${quoteName(object.keptName)}`);
      return;
    }
    const table = await introspectTable(connection, database.schemaName, server.engine, object.tableName);
    if (!table?.columns.some((column) => column.name === object.keptName)) return;
    // A waiting ALTER holds everybody up: on MySQL for this long at most, on MariaDB not at all.
    await connection.run(`SET SESSION lock_wait_timeout = ${capabilities.alterNowait ? 0 : LOCK_WAIT_SECONDS}`);
    await climbLadder(connection, `ALTER TABLE ${quoteName(object.tableName)} DROP COLUMN ${quoteName(object.keptName)}`, capabilities);
  }).catch((error: unknown) => {
    // Its owner has dropped the whole schema.
    if (readServerFault(error instanceof Error ? (error.cause ?? error) : error)?.errno !== 1049) throw error;
  });
}
