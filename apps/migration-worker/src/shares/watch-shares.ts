import { USER_SESSIONS_MAX } from '@rowhouse/contracts';
import type { EndedSession, SharedUser, WorkerServer } from '@rowhouse/platform-store';
import { quoteAccount } from '../accounts/account-statements.js';
import { createSerialCheck, type SerialCheck } from '../detector/serial-check.js';
import { nameNode } from '../servers/node-failure-tracker.js';
import { listNodes, withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';
import { createEndedSessions } from './ended-sessions.js';
import type { Verdict } from './judge-sessions.js';
import { createNodeWatch, type NodeWatch } from './watch-node.js';

/**
 * The numbers of sessions that a user's limit can have. Limits change in steps, so that another user of the
 * same owner does not change all other accounts.
 */
const STEPS = [1, 2, 3, 5, 7, 10, 15, 20];

/** The duration of an owner's first restriction, in milliseconds. Each further one is three times as long. */
const RESTRICTION_FIRST_MS = 120_000;
const RESTRICTION_MAX_MS = 15 * 60_000;
/** After this time without a restriction, in milliseconds, the next one has the first duration again. */
const RESTRICTION_RESET_MS = 30 * 60_000;

interface RestrictedOwners {
  /**
   * Restricts an owner, for longer after each repetition. Returns the duration of the restriction in
   * milliseconds.
   */
  restrict(ownerId: string): number;
  has(ownerId: string): boolean;
  /** Returns the number of owners in memory. */
  size(): number;
}

const HOLD_EVERY_MS = 2_000;
const HOLD_LEASE_MS = 8_000;
/** The interval between two checks of a server without an urgent node, in milliseconds. */
const CHECK_EVERY_MS = 1_000;
/** The number of accounts that one statement changes. Each account causes a write to the server's disk. */
const ACCOUNTS_AT_ONCE = 100;
/** The time in milliseconds for which users whose sessions were ended have a lower limit. */
const LIMIT_MS = 60_000;
/** The maximum number of events that wait for the platform database. */
const UNRECORDED_MAX = 1_000;

export interface ShareWatch {
  /** Starts checks of the servers that this worker holds. The caller runs it a few times a second. */
  check(): void;
  close(): Promise<void>;
}

interface HeldNode {
  readonly watch: NodeWatch;
  readonly inspection: SerialCheck;
}

interface Held {
  readonly server: WorkerServer;
  readonly nodes: ReadonlyMap<string, HeldNode>;
  /** Null until they were read for the first time. */
  users: ReadonlyMap<string, SharedUser> | null;
  /** Reads the users and sets their session limits, so that no older list replaces a newer one. */
  readonly refresh: SerialCheck;
  checkedAtMs: number;
}

/**
 * Keeps the direct connections of each organization within its quota of a server. It sets session limits for
 * connection users, and ends sessions where the engine has no limit of its own. Only one worker at a time
 * does this for a server. Nothing here waits for more than one server, because a slow one must not delay the
 * checks and the leases of the others.
 */
export function createShareWatch(ctx: WorkerContext): ShareWatch {
  const held = new Map<string, Held>();
  const ended = createEndedSessions();
  const restricted = createRestrictedOwners();
  /** Events that could not be recorded yet. */
  const unrecorded: EndedSession[] = [];
  let heldAtMs = Number.NEGATIVE_INFINITY;
  let holding: Promise<void> | null = null;

  /**
   * Acquires or renews the servers' leases.
   * While the platform database is down, the last holder of a server continues.
   */
  async function hold(): Promise<void> {
    const servers = (await ctx.directory.listServers()).filter(({ capabilities }) => capabilities !== null);
    for (const id of [...held.keys()].filter((known) => !servers.some((server) => server.id === known)))
      void release(id);
    await Promise.all(
      servers.map(async (server) => {
        if (!(await ctx.shares.holdServer(server.id, HOLD_LEASE_MS))) return void release(server.id);
        void updateServer(server).refresh.check();
      }),
    );
  }

  function updateServer(server: WorkerServer): Held {
    const before = held.get(server.id);
    const nodes = new Map(
      listNodes(server).map((node): [string, HeldNode] => {
        const name = nameNode(node);
        return [name, before?.nodes.get(name) ?? holdNode(server.id, name, node)];
      }),
    );
    const item: Held = {
      server,
      nodes,
      users: before?.users ?? null,
      refresh:
        before?.refresh ??
        createSerialCheck(
          () => refresh(server.id),
          (error) =>
            ctx.logger.warn(
              { server: server.id, err: error },
              'the session limits of a server could not be set',
            ),
        ),
      checkedAtMs: before?.checkedAtMs ?? Number.NEGATIVE_INFINITY,
    };
    held.set(server.id, item);
    for (const [name, { watch }] of before?.nodes ?? []) if (!nodes.has(name)) void watch.close();
    return item;
  }

  function holdNode(serverId: string, name: string, node: WorkerServer): HeldNode {
    const watch = createNodeWatch(ctx, node);
    const inspection = createSerialCheck(
      () => inspect(serverId, name, watch),
      (error) =>
        ctx.logger.warn(
          { server: serverId, node: name, err: error },
          'the sessions of a node could not be checked',
        ),
    );
    return { watch, inspection };
  }

  async function release(serverId: string): Promise<void> {
    const before = held.get(serverId);
    held.delete(serverId);
    await Promise.allSettled([...(before?.nodes.values() ?? [])].map(({ watch }) => watch.close()));
  }

  async function refresh(serverId: string): Promise<void> {
    const users = await ctx.shares.listUsers(serverId);
    const item = held.get(serverId);
    if (item === undefined) return;
    item.users = new Map(users.map((user) => [user.userName, user]));
    await applyLimits(item, users);
  }

  /** Sets the session limits of the connection users. The engine enforces them at login. */
  async function applyLimits({ server, nodes }: Held, users: readonly SharedUser[]): Promise<void> {
    const bounds = [...nodes.values()].map(({ watch }) => watch.bounds()).find((found) => found !== null);
    // No node of this server has been checked yet.
    if (bounds === undefined || bounds === null) return;
    const requested = allotSessions(
      users,
      (ownerId) => (restricted.has(ownerId) ? bounds.statementsMax : bounds.sessions.owner),
      USER_SESSIONS_MAX,
    );
    const changed = users.filter(
      (user) => !user.isMoving && (user.sessionsMax ?? USER_SESSIONS_MAX) !== requested.get(user.id),
    );
    if (changed.length === 0) return;
    const groups = new Map<string, SharedUser[]>();
    for (const user of changed) {
      const max = requested.get(user.id) ?? USER_SESSIONS_MAX;
      const lock = max === 0 ? ' ACCOUNT LOCK' : user.sessionsMax === 0 ? ' ACCOUNT UNLOCK' : '';
      const limit = `WITH MAX_USER_CONNECTIONS ${Math.max(1, max)}${lock}`;
      groups.set(limit, [...(groups.get(limit) ?? []), user]);
    }
    await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
      for (const [limit, group] of groups) {
        for (let index = 0; index < group.length; index += ACCOUNTS_AT_ONCE) {
          const some = group.slice(index, index + ACCOUNTS_AT_ONCE);
          await provisioner.run(
            `ALTER USER IF EXISTS ${some.map((user) => quoteAccount(user.userName)).join(', ')} ${limit}`,
          );
          const max = requested.get(some[0]?.id ?? '') ?? USER_SESSIONS_MAX;
          await ctx.shares.noteLimit(
            some.map((user) => user.id),
            max === USER_SESSIONS_MAX ? null : max,
          );
        }
      }
    });
  }

  async function inspect(serverId: string, name: string, watch: NodeWatch): Promise<void> {
    const item = held.get(serverId);
    if (item === undefined || item.users === null) return;
    const { verdicts, faults } = await watch.check({
      users: item.users,
      settings: ctx.shareSettings,
      server: item.server,
      isRestricted: (ownerId) => restricted.has(ownerId),
    });
    unrecorded.push(...ended.add(verdicts, name));
    await Promise.all([recordEnded(), lowerLimits(serverId, verdicts)]);
    if (faults.length > 0) throw faults[0];
  }

  /** Records why sessions were ended. Retries with the next check while the platform database is down. */
  async function recordEnded(): Promise<void> {
    const some = unrecorded.splice(0);
    if (some.length === 0) return;
    try {
      await ctx.shares.recordEnded(some);
    } catch (error) {
      unrecorded.unshift(...some.slice(-UNRECORDED_MAX));
      throw error;
    }
  }

  /** Lowers the session limits of users whose sessions were ended for a while. */
  async function lowerLimits(serverId: string, verdicts: readonly Verdict[]): Promise<void> {
    const limits = new Map<number, Set<string>>();
    for (const { bound, session } of verdicts) {
      if (bound !== 'connections' && bound !== 'statements') continue;
      const durationMs = bound === 'statements' ? restricted.restrict(session.ownerId) : LIMIT_MS;
      limits.set(durationMs, (limits.get(durationMs) ?? new Set()).add(session.connectionId));
    }
    if (limits.size === 0) return;
    for (const [durationMs, ids] of limits) await ctx.shares.limit([...ids], durationMs);
    void held.get(serverId)?.refresh.checkAgain();
  }

  return {
    check() {
      const nowMs = performance.now();
      if (nowMs - heldAtMs >= HOLD_EVERY_MS) {
        heldAtMs = nowMs;
        holding ??= hold()
          .catch((error: unknown) =>
            ctx.logger.warn({ err: error }, 'servers could not be held for their shares'),
          )
          .finally(() => void (holding = null));
      }
      for (const item of held.values()) {
        const nodes = [...item.nodes.values()];
        const isDue =
          item.users !== null &&
          (nowMs - item.checkedAtMs >= CHECK_EVERY_MS || nodes.some(({ watch }) => watch.isUrgent()));
        if (!isDue) continue;
        item.checkedAtMs = nowMs;
        for (const { inspection } of nodes) void inspection.check();
      }
    },
    async close() {
      await holding;
      await Promise.all(
        [...held.values()].map(async ({ server, refresh: limits, nodes }) => {
          await Promise.all(
            [limits, ...[...nodes.values()].map(({ inspection }) => inspection)].map((running) =>
              running.finish(),
            ),
          );
          await release(server.id);
          await ctx.shares.releaseServer(server.id).catch(() => undefined);
        }),
      );
    },
  };
}

/**
 * Remembers owners that exceeded the limit of running statements. For a while, all connection users of such
 * an owner share a small number of sessions.
 */
export function createRestrictedOwners(now: () => number = () => performance.now()): RestrictedOwners {
  const owners = new Map<string, { untilMs: number; times: number }>();
  return {
    restrict(ownerId) {
      const before = owners.get(ownerId);
      if (before !== undefined && before.untilMs > now()) return before.untilMs - now();
      for (const [id, { untilMs }] of owners) if (now() - untilMs > RESTRICTION_RESET_MS) owners.delete(id);
      const times = (owners.get(ownerId)?.times ?? 0) + 1;
      const durationMs = Math.min(RESTRICTION_MAX_MS, RESTRICTION_FIRST_MS * 3 ** (times - 1));
      owners.set(ownerId, { untilMs: now() + durationMs, times });
      return durationMs;
    },
    has: (ownerId) => (owners.get(ownerId)?.untilMs ?? 0) > now(),
    size: () => owners.size,
  };
}

/**
 * Returns the session limit of each connection user, so that all users of an owner together stay within its
 * quota. The server rejects logins above the limit; with 0, the user is locked. If an owner has more users
 * than sessions, each user gets one session. Users whose sessions were just ended are locked for a while.
 */
export function allotSessions(
  users: readonly SharedUser[],
  maxOf: (ownerId: string) => number,
  userMax: number,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { ownerId } of users) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return new Map(
    users.map((user): [string, number] => {
      const count = counts.get(user.ownerId) ?? 1;
      const each = Math.floor(maxOf(user.ownerId) / count);
      if (each === 0 && user.isLimited) return [user.id, 0];
      const limit = Math.min(userMax, user.isLimited ? Math.ceil(each / 2) : each);
      return [user.id, STEPS.findLast((step) => step <= limit) ?? 1];
    }),
  );
}
