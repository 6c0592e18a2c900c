import {
  connectionSecretPurpose,
  USER_SESSIONS_MAX,
  type TaskPayload,
  type TaskResult,
} from '@rowhouse/contracts';
import { quoteName } from '@rowhouse/mysql';
import { accountStatements, quoteAccount } from '../accounts/account-statements.js';
import { ROLE_RIGHTS } from '../accounts/grants/schema-rights.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';
import { adoptObjects } from '../accounts/stored-objects.js';
import { removeAccount } from '../accounts/remove-account.js';
import { blockUsers } from '../accounts/sessions/block-users.js';
import { readProbedServer } from '../servers/read-probed-server.js';
import { setGrowth } from '../accounts/grants/set-growth.js';

/** Creates a direct account with the rights of its role on the database's schema only. */
export async function createConnection(
  ctx: WorkerContext,
  payload: TaskPayload<'create_connection'>,
): Promise<TaskResult<'create_connection'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await readProbedServer(ctx, database.serverId);
  const password = ctx.box.open(
    Buffer.from(payload.password_sealed, 'base64'),
    connectionSecretPurpose(payload.connection_id),
  );
  await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    const limits = { connectionsMax: USER_SESSIONS_MAX, statementSecondsMax: 0 };
    for (const statement of accountStatements(
      server,
      payload.user_name,
      password,
      limits,
      payload.require_tls,
    ))
      await provisioner.run(statement);
    await ctx.shares.noteLimit([payload.connection_id], null);
    ctx.failPoint('connection-made');
    await provisioner.run(
      `GRANT ${ROLE_RIGHTS[payload.role]} ON ${quoteName(database.schemaName)}.* TO ${quoteAccount(payload.user_name)}`,
    );
    const user = { userName: payload.user_name, role: payload.role };
    if (database.isStorageFull) await setGrowth(provisioner, database.schemaName, user, false);
  });
  return {};
}

/**
 * Ends all sessions of the account, makes the definer account the definer of its objects, and drops it.
 * Afterwards, nothing runs with a revoked connection's account.
 */
export async function revokeConnection(
  ctx: Pick<WorkerContext, 'access' | 'directory' | 'logger' | 'own'>,
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
