import type { TaskPayload, TaskResult } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { dropDatabaseAndAccounts } from '../accounts/drop-database-and-accounts.js';
import { withConnection } from '../servers/server-access.js';
import { emptySnapshot } from '../snapshots/read-deployed.js';
import { publish } from '../snapshots/publish.js';
import type { WorkerContext } from '../worker-context.js';
import { readProbedServer } from '../servers/read-probed-server.js';
import { makeSchemasAndAccounts } from '../accounts/make-schemas-and-accounts.js';

/**
 * Creates the schema, its side schema, its accounts and snapshot 1. Every step can be repeated after a
 * crash.
 */
export async function provisionDatabase(
  ctx: WorkerContext,
  payload: TaskPayload<'provision_database'>,
): Promise<TaskResult<'provision_database'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  if (database.isDeleted) throw new AppError('resource.not_found', { detail: 'The database was deleted.' });
  const server = await readProbedServer(ctx, database.serverId);
  await makeSchemasAndAccounts(ctx, server, database);
  ctx.failPoint('provision-before-publish');
  if (database.snapshotNumber === 0) {
    await publish(ctx, {
      database,
      content: await encodeSnapshot(emptySnapshot(server.engine)),
      afterNumber: 0,
      origin: 'provision',
      marksReady: true,
    });
  }
  ctx.failPoint('provision-done');
  return { schema_name: database.schemaName };
}

/** Locks out all users first, then drops both schemas and the accounts. Safe to run again. */
export async function dropDatabase(
  ctx: Pick<WorkerContext, 'access' | 'directory' | 'failPoint' | 'values'>,
  payload: TaskPayload<'drop_database'>,
): Promise<TaskResult<'drop_database'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await ctx.directory.readServer(database.serverId);
  const accounts = await ctx.directory.listAccounts(database.id);
  const users = await ctx.directory.listConnectionUsers(database.id);
  const names = [...accounts.map((account) => account.userName), ...users.map((user) => user.userName)];
  await withConnection(ctx.access.openProvisioner(server), (provisioner) =>
    dropDatabaseAndAccounts(ctx, provisioner, server, database.schemaName, names),
  );
  ctx.failPoint('drop-before-rows');
  await ctx.directory.deleteAccounts(database.id);
  await ctx.values.remove(database.id);
  return {};
}
