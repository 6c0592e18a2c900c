import type { TaskPayload, TaskResult } from '@rowhouse/contracts';
import { dropDatabaseAndAccounts } from '../accounts/drop-database-and-accounts.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/** Locks out all users first, then drops both schemas and the accounts. Safe to run again. */
export async function dropDatabase(
  ctx: WorkerContext,
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
