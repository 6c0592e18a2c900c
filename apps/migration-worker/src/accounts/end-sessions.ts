import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@rowhouse/errors';
import { quoteText, readNodeState, readServerFault, type AdminConnection, type GaleraState, SESSIONS } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { killThread } from '../servers/kill-thread.js';
import { nameNode } from '../servers/name-node.js';
import { listNodes, type ServerLogins } from '../servers/server-access.js';

const DEADLINE_MS = 10_000;

/** Threads that were told to end before, by node. */
export type EndedSessions = ReadonlyMap<string, readonly number[]>;

/**
 * Ends every session of an account and returns once none is listed, with the number that were ended, those of `before`
 * among them. KILL marks a session; it is listed until its thread has noticed, so the list is read again until it is empty.
 */
export function endSessions(admin: AdminConnection, server: WorkerServer, userName: string, { before = [], spared = NOBODY }: SessionsToEnd = {}): Promise<number> {
  return endListed(admin, userName, before, async () => {
    const rows = await admin.rows<{ id: number }>(`SELECT ID AS id FROM ${SESSIONS} WHERE USER = ?`, [userName]);
    const ids = rows.map((row) => Number(row.id)).filter((id) => !spared.has(id));
    if (ids.length > 0 && spared.size === 0 && server.capabilities?.killUser) await admin.run(`KILL USER ${quoteText(userName)}`);
    return ids;
  });
}

export interface SessionsToEnd {
  /** Threads that were told to end before. */
  readonly before?: readonly number[] | undefined;
  /** Threads that go on. */
  readonly spared?: ReadonlySet<number>;
}

const NOBODY: ReadonlySet<number> = new Set();

interface NodeLogins {
  readonly access: Pick<ServerLogins, 'openNodeProvisioner'>;
}

export interface EndEverywhere {
  readonly before?: EndedSessions;
  /**
   * `all`: each node has answered, or nothing listens there. `members`: so have all that take part in the cluster. One that
   * was cut off changes nothing meanwhile; its sessions come back with it.
   */
  readonly reach: 'all' | 'members';
}

/**
 * The same on every node of the server, on all at once: each lists, and ends, its own sessions alone. A node that does not
 * answer may serve on. Where one is left that counts, this throws `db.unavailable`, behind what was ended on the others.
 */
export async function endSessionsEverywhere(ctx: NodeLogins, admin: AdminConnection, server: WorkerServer, userName: string, { before = new Map(), reach }: EndEverywhere): Promise<number> {
  if (server.nodes.length === 0) return endSessions(admin, server, userName, { before: before.get(nameNode(server)) });
  const ends = await Promise.all(listNodes(server).map((node) => endOnNode(ctx, node, userName, before.get(nameNode(node)))));
  const silent = ends.filter((end) => end.kind === 'silent');
  const isEnough = silent.length === 0 || (reach === 'members' && areAllMembers(ends));
  if (!isEnough) {
    const names = silent.map((end) => end.name).join(', ');
    throw new AppError('db.unavailable', { internal: `sessions of ${userName} may go on at ${names}`, cause: silent[0]?.error });
  }
  return ends.reduce((sum, end) => sum + (end.kind === 'ended' ? end.sessions : 0), 0);
}

type NodeEnd =
  | { readonly kind: 'ended'; readonly sessions: number; readonly state: GaleraState | null }
  /** Nothing listens there: a server that does not run has no sessions. */
  | { readonly kind: 'vacant' }
  | { readonly kind: 'silent'; readonly name: string; readonly error: unknown };

async function endOnNode(ctx: NodeLogins, node: WorkerServer, userName: string, before: readonly number[] | undefined): Promise<NodeEnd> {
  const silent = (error: unknown): NodeEnd => ({ kind: 'silent', name: nameNode(node), error });
  const opened = await ctx.access.openNodeProvisioner(node).catch((error: unknown): NodeEnd => (readServerFault(error)?.code === 'ECONNREFUSED' ? { kind: 'vacant' } : silent(error)));
  if ('kind' in opened) return opened;
  try {
    return { kind: 'ended', sessions: await endSessions(opened, node, userName, { before }), state: await readNodeState(opened) };
  } catch (error) {
    if (readServerFault(error)?.isConnectionLost !== true) throw error;
    return silent(error);
  } finally {
    await opened.close();
  }
}

/** Whether those that answered are as many as they say that they are together. */
function areAllMembers(ends: readonly NodeEnd[]): boolean {
  const states = ends.flatMap((end) => (end.kind === 'ended' && end.state !== null && end.state.kind !== 'away' ? [end.state] : []));
  const nodeIds = new Set(states.map((state) => state.nodeId).filter((id) => id !== ''));
  return states.length > 0 && states.every((state) => state.clusterSize === nodeIds.size);
}

/** Ends the sessions of `admin`'s own account that stand in a tenant's schema: swaps that another worker may still be at. */
export function endSwaps(admin: AdminConnection, schemaName: string): Promise<number> {
  return endListed(admin, `swaps in ${schemaName}`, [], async () => {
    const rows = await admin.rows<{ id: number }>(`SELECT ID AS id FROM ${SESSIONS} WHERE DB = ? AND USER = SUBSTRING_INDEX(USER(), '@', 1) AND ID <> CONNECTION_ID()`, [schemaName]);
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
