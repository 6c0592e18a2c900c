import { setTimeout as pause } from 'node:timers/promises';
import { quoteText, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { AppError } from '@rowhouse/errors';
import { killThread } from '../servers/kill-thread.js';
import { listNodes } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

const DEADLINE_MS = 10_000;

/** Threads that were told to end before, by node. */
export type EndedSessions = ReadonlyMap<string, readonly number[]>;

export function nameNode({ host, port }: Pick<WorkerServer, 'host' | 'port'>): string {
  return `${host}:${port}`;
}

/**
 * Ends every session of an account and returns once none is listed, with the number that were ended, those of `before`
 * among them. KILL marks a session; it is listed until its thread has noticed, so the list is read again until it is empty.
 */
export function endSessions(admin: AdminConnection, server: WorkerServer, userName: string, before: readonly number[] = []): Promise<number> {
  return endListed(admin, userName, before, async () => {
    const rows = await admin.rows<{ id: number }>('SELECT ID AS id FROM information_schema.PROCESSLIST WHERE USER = ?', [userName]);
    if (rows.length > 0 && server.capabilities?.killUser) await admin.run(`KILL USER ${quoteText(userName)}`);
    return rows.map((row) => Number(row.id));
  });
}

/** The same on every node of the server that can be reached, on all at once: each lists, and ends, its own sessions alone. */
export async function endSessionsEverywhere(ctx: Pick<WorkerContext, 'access'>, admin: AdminConnection, server: WorkerServer, userName: string, before: EndedSessions = new Map()): Promise<number> {
  const end = (connection: AdminConnection, node: WorkerServer): Promise<number> => endSessions(connection, node, userName, before.get(nameNode(node)));
  if (server.nodes.length === 0) return end(admin, server);
  const ended = await Promise.all(listNodes(server).map(async (node) => {
    // A node that is away serves nobody.
    const connection = await ctx.access.openProvisioner(node).catch(() => null);
    if (connection === null) return 0;
    try {
      return await end(connection, node);
    } finally {
      await connection.close();
    }
  }));
  return ended.reduce((sum, one) => sum + one, 0);
}

/** Ends the sessions of `admin`'s own account that stand in a tenant's schema: swaps that another worker may still be at. */
export function endSwaps(admin: AdminConnection, schemaName: string): Promise<number> {
  return endListed(admin, `swaps in ${schemaName}`, [], async () => {
    const rows = await admin.rows<{ id: number }>(`SELECT ID AS id FROM information_schema.PROCESSLIST WHERE DB = ? AND USER = SUBSTRING_INDEX(USER(), '@', 1) AND ID <> CONNECTION_ID()`, [schemaName]);
    return rows.map((row) => Number(row.id));
  });
}

async function endListed(admin: AdminConnection, whose: string, before: readonly number[], list: () => Promise<number[]>): Promise<number> {
  const endsAt = performance.now() + DEADLINE_MS;
  const killed = new Set(before);
  for (;;) {
    const listed = await list();
    if (listed.length === 0) return killed.size;
    if (performance.now() > endsAt) throw new AppError('db.timeout', { internal: `${listed.length} sessions of ${whose} do not end` });
    for (const id of listed) {
      killed.add(id);
      await killThread(admin, id);
    }
    await pause(5);
  }
}
