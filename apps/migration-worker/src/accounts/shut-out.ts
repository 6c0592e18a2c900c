import { quoteText, type AdminConnection, SESSIONS } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { nameNode } from '../servers/name-node.js';
import { listNodes } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';
import { quoteAccount } from './account-statements.js';
import type { EndedSessions } from './end-sessions.js';

/**
 * Locks an account and ends its sessions, on all nodes at once and each in as few messages as there can be: on a busy
 * machine every trip more is one in which a revoked session lives on. Never throws: it only hurries, and `removeAccount`,
 * which follows, sees to it that nothing is left.
 */
export async function shutOut(ctx: Pick<WorkerContext, 'access' | 'logger'>, server: WorkerServer, userName: string): Promise<EndedSessions> {
  const ended = new Map<string, readonly number[]>();
  await Promise.all(listNodes(server).map(async (node, at) => {
    try {
      // An account is the same on all nodes: what the first does, each does.
      ended.set(nameNode(node), await ctx.access.useReadyProvisioner(node, (connection) => shutOutOn(connection, server, userName, at === 0)));
    } catch (error) {
      ctx.logger.warn({ server: server.id, node: nameNode(node), err: error }, 'an account was not shut out at once');
    }
  }));
  return ended;
}

/** Answers the threads that were ended. */
async function shutOutOn(connection: AdminConnection, server: WorkerServer, userName: string, isLocking: boolean): Promise<number[]> {
  const user = quoteText(userName);
  const killsByUser = server.capabilities?.killUser === true;
  const lock = isLocking ? `ALTER USER IF EXISTS ${quoteAccount(userName)} ACCOUNT LOCK` : 'DO 0';
  const statements = [lock, `SELECT ID AS id FROM ${SESSIONS} WHERE USER = ${user}`, ...(killsByUser ? [`KILL USER ${user}`] : [])];
  const [, listed] = await connection.rows<unknown>(statements.join('; '));
  const threads = (listed as readonly { readonly id: number | string }[]).map(({ id }) => Number(id));
  // One that has gone by itself stops the message: what is left is ended one by one, later.
  if (!killsByUser && threads.length > 0) await connection.run(threads.map((id) => `KILL ${id}`).join('; ')).catch(() => undefined);
  return threads;
}
