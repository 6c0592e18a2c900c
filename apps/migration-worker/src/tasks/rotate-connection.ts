import { connectionSecretPurpose, type TaskPayload, type TaskResult } from '@rowhouse/contracts';
import { endPreviousPassword, rotatePassword } from '../accounts/rotate-password.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';
import { readProbedServer } from './provision-database.js';

/** A new password for a direct account; the one before holds beside it until `end_rotation`. */
export async function rotateConnection(ctx: WorkerContext, payload: TaskPayload<'rotate_connection'>): Promise<TaskResult<'rotate_connection'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await readProbedServer(ctx, database.serverId);
  const password = ctx.box.open(Buffer.from(payload.password_sealed, 'base64'), connectionSecretPurpose(payload.connection_id));
  const change = { userName: payload.user_name, password, keepPrevious: payload.keep_previous };
  const isDone = (): Promise<boolean> => withConnection(ctx.access.openAs(server, payload.user_name, password), () => Promise.resolve(true)).catch(() => false);
  await withConnection(ctx.access.openProvisioner(server), (provisioner) => rotatePassword(provisioner, server, change, isDone));
  return {};
}

/** The overlap is over; unless the account was rotated once more since this was asked for. */
export async function endRotation(ctx: WorkerContext, payload: TaskPayload<'end_rotation'>): Promise<TaskResult<'end_rotation'>> {
  const users = await ctx.directory.listConnectionUsers(payload.database_id);
  if (users.find((user) => user.id === payload.connection_id)?.holdsPrevious === true) return {};
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await readProbedServer(ctx, database.serverId);
  await withConnection(ctx.access.openProvisioner(server), (provisioner) => endPreviousPassword(provisioner, server, payload.user_name));
  return {};
}
