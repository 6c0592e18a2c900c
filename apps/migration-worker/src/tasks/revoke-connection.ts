import type { TaskPayload, TaskResult } from '@rowhouse/contracts';
import { removeAccount } from '../accounts/remove-account.js';
import { shutOut } from '../accounts/shut-out.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/** First nobody is in any more, then the account is taken apart. */
export async function revokeConnection(ctx: WorkerContext, payload: TaskPayload<'revoke_connection'>): Promise<TaskResult<'revoke_connection'>> {
  const { database, server } = await ctx.directory.readPlace(payload.database_id);
  const ended = await shutOut(ctx, server, payload.user_name);
  return withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    const { sessionsKilled } = await removeAccount(ctx, provisioner, server, database.schemaName, payload.user_name, ended);
    return { sessions_killed: sessionsKilled };
  });
}
