import type { TaskPayload, TaskResult } from '@rowhouse/contracts';
import { removeAccount } from '../accounts/remove-account.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';
import { readProbedServer } from './provision-database.js';

export async function revokeConnection(ctx: WorkerContext, payload: TaskPayload<'revoke_connection'>): Promise<TaskResult<'revoke_connection'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await readProbedServer(ctx, database.serverId);
  return withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    const { sessionsKilled } = await removeAccount(ctx, provisioner, server, database.schemaName, payload.user_name);
    return { sessions_killed: sessionsKilled };
  });
}
