import type { TaskPayload, TaskResult } from '@rowhouse/contracts';
import { adoptObjects } from '../accounts/stored-objects.js';
import { removeAccount } from '../accounts/remove-account.js';
import { blockUsers } from '../accounts/block-users.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/**
 * Ends every session, transfers what the account created to the definer account, and drops the account.
 * Nothing runs under a revoked connection.
 */
export async function revokeConnection(
  ctx: WorkerContext,
  payload: TaskPayload<'revoke_connection'>,
): Promise<TaskResult<'revoke_connection'>> {
  const { database, server } = await ctx.directory.readPlace(payload.database_id);
  const ended = await blockUsers(ctx, server, payload.user_name);
  return withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    const { sessionsKilled, isDropped } = await removeAccount(
      ctx,
      provisioner,
      server,
      database.schemaName,
      payload.user_name,
      ended,
    );
    if (!isDropped) {
      await adoptObjects(ctx, server, database, [payload.user_name]);
      await removeAccount(ctx, provisioner, server, database.schemaName, payload.user_name);
    }
    return { sessions_killed: sessionsKilled };
  });
}
