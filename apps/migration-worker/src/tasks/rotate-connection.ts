import { connectionSecretPurpose, type TaskPayload, type TaskResult } from '@rowhouse/contracts';
import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { quoteAccount } from '../accounts/account-statements.js';
import { endSessionsEverywhere } from '../accounts/sessions/end-sessions.js';
import { endPreviousPassword, rotatePassword } from '../accounts/repair/rotate-password.js';
import { endAbandoned } from '../accounts/sessions/prepared-transactions.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext, DatabaseAccess } from '../worker-context.js';
import { readProbedServer } from '../servers/read-probed-server.js';

/**
 * Sets a new password for a direct account. The previous password stays valid until `end_rotation`, or ends
 * immediately together with every session of the account.
 */
export async function rotateConnection(
  ctx: Pick<WorkerContext, 'access' | 'box' | 'directory'>,
  payload: TaskPayload<'rotate_connection'>,
): Promise<TaskResult<'rotate_connection'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await readProbedServer(ctx, database.serverId);
  const password = ctx.box.open(
    Buffer.from(payload.password_sealed, 'base64'),
    connectionSecretPurpose(payload.connection_id),
  );
  const change = { userName: payload.user_name, password, keepPrevious: payload.keep_previous };
  const isDone = (): Promise<boolean> =>
    withConnection(ctx.access.openAs(server, payload.user_name, password), () => Promise.resolve(true)).catch(
      () => false,
    );
  await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    const rotate = (): Promise<void> => rotatePassword(provisioner, server, change, isDone);
    return payload.keep_previous ? rotate() : withUsersBlocked(ctx, provisioner, server, payload, rotate);
  });
  return {};
}

/**
 * Locks the account and ends its sessions while the password changes. Otherwise a session opened with the
 * previous password could overwrite the new password with its own. Safe to run again.
 */
async function withUsersBlocked(
  ctx: DatabaseAccess,
  provisioner: AdminConnection,
  server: WorkerServer,
  payload: TaskPayload<'rotate_connection'>,
  callback: () => Promise<void>,
): Promise<void> {
  const account = quoteAccount(payload.user_name);
  await provisioner.run(`ALTER USER ${account} ACCOUNT LOCK`);
  try {
    await endSessionsEverywhere(ctx, provisioner, server, payload.user_name, { reach: 'members' });
    await endAbandoned(provisioner, server);
    await callback();
  } finally {
    await provisioner.run(`ALTER USER ${account} ACCOUNT UNLOCK`);
    // The account may have been revoked and locked before it was unlocked here. A revocation marks the row
    // first, so the row shows it.
    if (await isRevoked(ctx, payload)) await provisioner.run(`ALTER USER IF EXISTS ${account} ACCOUNT LOCK`);
  }
}

async function isRevoked(
  ctx: Pick<WorkerContext, 'directory'>,
  { database_id: databaseId, connection_id: id }: TaskPayload<'rotate_connection'>,
): Promise<boolean> {
  const users = await ctx.directory.listConnectionUsers(databaseId);
  return users.some((user) => user.id === id && user.isRevoked);
}

/**
 * Ends the validity of the previous password, unless the account was rotated again after this task was
 * requested.
 */
export async function endRotation(
  ctx: DatabaseAccess,
  payload: TaskPayload<'end_rotation'>,
): Promise<TaskResult<'end_rotation'>> {
  const users = await ctx.directory.listConnectionUsers(payload.database_id);
  if (users.find((user) => user.id === payload.connection_id)?.holdsPrevious === true) return {};
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await readProbedServer(ctx, database.serverId);
  await withConnection(ctx.access.openProvisioner(server), (provisioner) =>
    endPreviousPassword(provisioner, server, payload.user_name),
  );
  return {};
}
