import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@rowhouse/errors';
import {
  LOGIN_COMMANDS,
  quoteText,
  readNodeState,
  readServerFault,
  type AdminConnection,
  type GaleraState,
  SESSIONS,
} from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { killThread } from '../../servers/kill-thread.js';
import { nameNode } from '../../servers/node-failure-tracker.js';
import { listNodes, type ServerLogins } from '../../servers/server-access.js';

const DEADLINE_MS = 10_000;
/** The maximum duration of a login in milliseconds, unless the client delays it. */
const LOGIN_MS = 1_000;

/** The ids of threads that were killed earlier, by node. */
export type EndedSessions = ReadonlyMap<string, readonly number[]>;

/**
 * Ends all sessions of an account. Returns the number of ended sessions, including those in `before`, once no
 * session is listed any more.
 * KILL only marks a session. The session stays listed until its thread notices the mark, so the list is read
 * until it is empty. Logins that are in progress are also ended, or they are completed and then ended,
 * because the server checks them against the password and lock from when they began.
 */
export function endSessions(
  admin: AdminConnection,
  server: WorkerServer,
  userName: string,
  { before = [], spared = NOBODY }: SessionsToEnd = {},
): Promise<number> {
  const check = createAccountLook(admin, server, userName);
  return endListed(admin, userName, before, async () => {
    const { sessions, logins, areLate } = await check();
    const ids = sessions.filter((id) => !spared.has(id));
    if (ids.length > 0 && spared.size === 0 && server.capabilities?.killUser)
      await admin.run(`KILL USER ${quoteText(userName)}`);
    if (areLate) for (const id of logins) await killThread(admin, id);
    return { ids, isAwaited: logins.length > 0 };
  });
}

interface AccountSessions {
  /** The thread ids of the account's sessions. */
  readonly sessions: readonly number[];
  /** The logins that had begun at the first check and are still in progress. */
  readonly logins: readonly number[];
  /** Whether these logins must be ended now, instead of getting more time to complete. */
  readonly areLate: boolean;
}

/**
 * Returns a function that lists the sessions of an account. A login that begins after the first check is left
 * out: the server rejects it, and a client could start new ones forever. MySQL shows the user of a login only
 * once the login has succeeded. Logins of unknown users are therefore given time to complete.
 */
function createAccountLook(
  admin: AdminConnection,
  { engine }: WorkerServer,
  userName: string,
): () => Promise<AccountSessions> {
  const isNamed = engine !== 'mysql';
  const startedAtMs = performance.now();
  const filter = isNamed ? '' : ` OR COMMAND IN (${LOGIN_COMMANDS.map(quoteText).join(', ')})`;
  let started: ReadonlySet<number> | null = null;
  let known: ReadonlySet<number> | null = null;
  const isLogin = ({ user, command }: SessionRow): boolean =>
    LOGIN_COMMANDS.includes(command) && (isNamed || (user !== userName && user !== 'system user'));
  return async () => {
    const rows = await admin.rows<SessionRow>(
      `SELECT ID AS id, USER AS user, COMMAND AS command FROM ${SESSIONS} WHERE USER = ?${filter}`,
      [userName],
    );
    // If an entry is killed but was not listed earlier, it is a login that began after the first check.
    const isOld = ({ id, command }: SessionRow): boolean =>
      command !== 'Killed' || known === null || known.has(Number(id));
    const sessions = toIds(rows.filter((row) => !isLogin(row) && isOld(row)));
    const logins = toIds(rows.filter(isLogin));
    started ??= new Set(logins);
    known = new Set([...sessions, ...started]);
    return {
      sessions,
      logins: logins.filter((id) => started?.has(id)),
      areLate: isNamed || performance.now() - startedAtMs > LOGIN_MS,
    };
  };
}

interface SessionRow {
  readonly id: number | string;
  readonly user: string | null;
  readonly command: string;
}

function toIds(rows: readonly SessionRow[]): number[] {
  return rows.map(({ id }) => Number(id));
}

export interface SessionsToEnd {
  /** The ids of threads that were killed earlier. */
  readonly before?: readonly number[] | undefined;
  /** The ids of threads that must not be ended. */
  readonly spared?: ReadonlySet<number>;
}

const NOBODY: ReadonlySet<number> = new Set();

interface NodeLogins {
  readonly access: Pick<ServerLogins, 'openNodeProvisioner'>;
}

export interface EndEverywhere {
  readonly before?: EndedSessions;
  /**
   * Which nodes must respond. With `all`, each node must have responded, or must run no server. With
   * `members`, all current members of the cluster must have responded. A node that is cut off from the
   * cluster cannot change anything, but its sessions continue when it joins again.
   */
  readonly reach: 'all' | 'members';
}

/**
 * Ends all sessions of an account on all nodes in parallel, as `endSessions` does on one. Each node lists and
 * ends only its own sessions. A node that does not respond may still run sessions. If such a node is
 * required, this throws `db.unavailable` after ending the sessions on the other nodes.
 */
export async function endSessionsEverywhere(
  ctx: NodeLogins,
  admin: AdminConnection,
  server: WorkerServer,
  userName: string,
  { before = new Map(), reach }: EndEverywhere,
): Promise<number> {
  if (server.nodes.length === 0)
    return endSessions(admin, server, userName, { before: before.get(nameNode(server)) });
  const ends = await Promise.all(
    listNodes(server).map((node) => endOnNode(ctx, node, userName, before.get(nameNode(node)))),
  );
  const silent = ends.filter((end) => end.kind === 'silent');
  const isEnough = silent.length === 0 || (reach === 'members' && areAllMembers(ends));
  if (!isEnough) {
    const names = silent.map((end) => end.name).join(', ');
    throw new AppError('db.unavailable', {
      internal: `sessions of ${userName} may still be open on ${names}`,
      cause: silent[0]?.error,
    });
  }
  return ends.reduce((sum, end) => sum + (end.kind === 'ended' ? end.sessions : 0), 0);
}

type NodeEnd =
  | { readonly kind: 'ended'; readonly sessions: number; readonly state: GaleraState | null }
  /** No server listens on the node's address, so no session exists. */
  | { readonly kind: 'vacant' }
  | { readonly kind: 'silent'; readonly name: string; readonly error: unknown };

async function endOnNode(
  ctx: NodeLogins,
  node: WorkerServer,
  userName: string,
  before: readonly number[] | undefined,
): Promise<NodeEnd> {
  const silent = (error: unknown): NodeEnd => ({ kind: 'silent', name: nameNode(node), error });
  const opened = await ctx.access
    .openNodeProvisioner(node)
    .catch((error: unknown): NodeEnd =>
      readServerFault(error)?.code === 'ECONNREFUSED' ? { kind: 'vacant' } : silent(error),
    );
  if ('kind' in opened) return opened;
  try {
    return {
      kind: 'ended',
      sessions: await endSessions(opened, node, userName, { before }),
      state: await readNodeState(opened),
    };
  } catch (error) {
    if (readServerFault(error)?.isConnectionLost !== true) throw error;
    return silent(error);
  } finally {
    await opened.close();
  }
}

/** Returns whether the number of nodes that responded equals the cluster size that they report. */
function areAllMembers(ends: readonly NodeEnd[]): boolean {
  const states = ends.flatMap((end) =>
    end.kind === 'ended' && end.state !== null && end.state.kind !== 'away' ? [end.state] : [],
  );
  const nodeIds = new Set(states.map((state) => state.nodeId).filter((id) => id !== ''));
  return states.length > 0 && states.every((state) => state.clusterSize === nodeIds.size);
}

/**
 * Ends the sessions of `admin`'s account that use a tenant's schema. In such a session, another worker may
 * still be swapping tables.
 */
export function endSwaps(admin: AdminConnection, schemaName: string): Promise<number> {
  return endListed(admin, `swaps in ${schemaName}`, [], async () => {
    const rows = await admin.rows<{ id: number }>(
      `SELECT ID AS id FROM ${SESSIONS} WHERE DB = ? AND USER = SUBSTRING_INDEX(USER(), '@', 1) AND ID <> CONNECTION_ID()`,
      [schemaName],
    );
    return { ids: rows.map((row) => Number(row.id)), isAwaited: false };
  });
}

interface Listed {
  readonly ids: readonly number[];
  /** Whether some sessions or logins have not ended yet. */
  readonly isAwaited: boolean;
}

async function endListed(
  admin: AdminConnection,
  whose: string,
  before: readonly number[],
  list: () => Promise<Listed>,
): Promise<number> {
  const endsAt = performance.now() + DEADLINE_MS;
  const killed = new Set(before);
  for (;;) {
    const { ids, isAwaited } = await list();
    if (ids.length === 0 && !isAwaited) return killed.size;
    if (performance.now() > endsAt)
      throw new AppError('db.timeout', { internal: `${ids.length} sessions of ${whose} do not end` });
    for (const id of ids) {
      killed.add(id);
      await killThread(admin, id);
    }
    await pause(5);
  }
}
