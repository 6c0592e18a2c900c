import { quoteText, type AdminConnection, SESSIONS } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { nameNode } from '../../servers/node-failure-tracker.js';
import { listNodes } from '../../servers/server-access.js';
import type { WorkerContext } from '../../worker-context.js';
import { quoteAccount } from '../account-statements.js';
import type { EndedSessions } from './end-sessions.js';

/**
 * Locks an account and ends its sessions, on all nodes in parallel and with as few messages as possible. On a
 * busy machine, each round trip would let a revoked session live longer. Never throws. The call only saves
 * time, because `removeAccount` runs afterwards and ensures that no session remains.
 */
export async function blockUsers(
  ctx: Pick<WorkerContext, 'access' | 'logger'>,
  server: WorkerServer,
  userName: string,
): Promise<EndedSessions> {
  const ended = new Map<string, readonly number[]>();
  await Promise.all(
    listNodes(server).map(async (node, index) => {
      try {
        // The nodes replicate accounts, so the account is locked only on the first node.
        ended.set(
          nameNode(node),
          await ctx.access.useReadyProvisioner(node, (connection) =>
            blockUsersOn(connection, server, userName, index === 0),
          ),
        );
      } catch (error) {
        ctx.logger.warn(
          { server: server.id, node: nameNode(node), err: error },
          'an account was not shut out at once',
        );
      }
    }),
  );
  return ended;
}

/** Locks the account if requested, ends its sessions on one node, and returns their thread ids. */
async function blockUsersOn(
  connection: AdminConnection,
  server: WorkerServer,
  userName: string,
  isLocking: boolean,
): Promise<number[]> {
  const user = quoteText(userName);
  const killsByUser = server.capabilities?.killUser === true;
  const lock = isLocking ? `ALTER USER IF EXISTS ${quoteAccount(userName)} ACCOUNT LOCK` : 'DO 0';
  const statements = [
    lock,
    `SELECT ID AS id FROM ${SESSIONS} WHERE USER = ${user}`,
    ...(killsByUser ? [`KILL USER ${user}`] : []),
  ];
  const [, listed] = await connection.rows<unknown>(statements.join('; '));
  const threads = (listed as readonly { readonly id: number | string }[]).map(({ id }) => Number(id));
  // If a thread has already ended, the server stops at its KILL and ignores the rest of the message. The
  // remaining threads are later ended one by one.
  if (!killsByUser && threads.length > 0)
    await connection.run(threads.map((id) => `KILL ${id}`).join('; ')).catch(() => undefined);
  return threads;
}
