import { USER_SESSIONS_MAX } from '@rowhouse/contracts';
import type { SharedUser, WorkerServer } from '@rowhouse/platform-store';
import { quoteAccount } from '../accounts/account-statements.js';
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
}

const HOLD_EVERY_MS = 2_000;
const HOLD_LEASE_MS = 8_000;
/** The interval between two checks of a server without an urgent node, in milliseconds. */
const CHECK_EVERY_MS = 1_000;
/** The number of accounts that one statement changes. Each account causes a write to the server's disk. */
const ACCOUNTS_AT_ONCE = 100;
/** The time in milliseconds for which users whose sessions were ended have a lower limit. */
const LIMIT_MS = 60_000;

export interface ShareWatch {
  /** Checks the servers that this worker holds. The caller runs it a few times a second. */
  check(): Promise<void>;
  close(): Promise<void>;
}

interface Held {
  readonly server: WorkerServer;
  readonly nodes: ReadonlyMap<string, NodeWatch>;
  users: ReadonlyMap<string, SharedUser>;
  checkedAtMs: number;
}

/**
 * Keeps the direct connections of each organization within its quota of a server. It sets session limits for
 * connection users, and ends sessions where the engine has no limit of its own. Only one worker at a time
 * does this for a server.
 */
export function createShareWatch(ctx: WorkerContext): ShareWatch {
  const held = new Map<string, Held>();
  const ended = createEndedSessions();
  const restricted = createRestrictedOwners();
  /** Nodes whose last check failed, so that a failure is logged once. */
  const failing = new Set<string>();
  let heldAtMs = Number.NEGATIVE_INFINITY;
  let holding: Promise<void> | null = null;

  /**
   * Acquires or renews the servers' leases.
   * While the platform database is down, the last holder of a server continues.
   */
  async function hold(): Promise<void> {
    const servers = (await ctx.directory.listServers()).filter(({ capabilities }) => capabilities !== null);
    for (const id of [...held.keys()].filter((known) => !servers.some((server) => server.id === known)))
      await release(id);
    for (const server of servers) {
      if (!(await ctx.shares.holdServer(server.id, HOLD_LEASE_MS))) {
        await release(server.id);
        continue;
      }
      const users = await ctx.shares.listUsers(server.id);
      updateHeld(server, users);
      await applyLimits(server, users).catch((error: unknown) =>
        ctx.logger.warn({ server: server.id, err: error }, 'the session limits of a server could not be set'),
      );
    }
  }

  function updateHeld(server: WorkerServer, users: readonly SharedUser[]): void {
    const before = held.get(server.id);
    const nodes = listNodes(server).map((node): [string, NodeWatch] => [
      nameNode(node),
      before?.nodes.get(nameNode(node)) ?? createNodeWatch(ctx, node),
    ]);
    held.set(server.id, {
      server,
      nodes: new Map(nodes),
      users: new Map(users.map((user) => [user.userName, user])),
      checkedAtMs: before?.checkedAtMs ?? Number.NEGATIVE_INFINITY,
    });
    for (const [name, watch] of before?.nodes ?? [])
      if (!nodes.some(([other]) => other === name)) void watch.close();
  }

  async function release(serverId: string): Promise<void> {
    const before = held.get(serverId);
    held.delete(serverId);
    for (const watch of before?.nodes.values() ?? []) await watch.close();
  }

  /** Sets the session limits of the connection users. The engine enforces them at login. */
  async function applyLimits(server: WorkerServer, users: readonly SharedUser[]): Promise<void> {
    const bounds = [...(held.get(server.id)?.nodes.values() ?? [])]
      .map((watch) => watch.bounds())
      .find((found) => found !== null);
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

  async function inspect(item: Held): Promise<void> {
    await Promise.all(
      [...item.nodes].map(async ([name, watch]) => {
        try {
          const { verdicts, faults } = await watch.check({
            users: item.users,
            settings: ctx.shareSettings,
            server: item.server,
            isRestricted: (ownerId) => restricted.has(ownerId),
          });
          if (verdicts.length > 0) await applyVerdicts(item.server, verdicts, name);
          if (faults.length > 0) throw faults[0];
          failing.delete(name);
        } catch (error) {
          if (failing.has(name)) return;
          failing.add(name);
          ctx.logger.warn(
            { server: item.server.id, node: name, err: error },
            'the sessions of a node could not be checked',
          );
        }
      }),
    );
  }

  /** Records why sessions were ended, and lowers the session limits of their users for a while. */
  async function applyVerdicts(
    server: WorkerServer,
    verdicts: readonly Verdict[],
    node: string,
  ): Promise<void> {
    const limits = new Map<number, Set<string>>();
    for (const { bound, session } of verdicts) {
      if (bound !== 'connections' && bound !== 'statements') continue;
      const durationMs = bound === 'statements' ? restricted.restrict(session.ownerId) : LIMIT_MS;
      limits.set(durationMs, (limits.get(durationMs) ?? new Set()).add(session.connectionId));
    }
    await ctx.shares.recordEnded(ended.add(verdicts, node));
    if (limits.size === 0) return;
    for (const [durationMs, ids] of limits) await ctx.shares.limit([...ids], durationMs);
    const users = await ctx.shares.listUsers(server.id);
    updateHeld(server, users);
    await applyLimits(server, users);
  }

  return {
    async check() {
      const nowMs = performance.now();
      if (nowMs - heldAtMs >= HOLD_EVERY_MS) {
        heldAtMs = nowMs;
        // The promise is not awaited, because checks must continue while the platform database is slow.
        holding ??= hold()
          .catch((error: unknown) =>
            ctx.logger.warn({ err: error }, 'servers could not be held for their shares'),
          )
          .finally(() => void (holding = null));
      }
      const due = [...held.values()].filter(
        (item) =>
          nowMs - item.checkedAtMs >= CHECK_EVERY_MS ||
          [...item.nodes.values()].some((watch) => watch.isUrgent()),
      );
      for (const item of due) item.checkedAtMs = nowMs;
      await Promise.all(due.map(inspect));
    },
    async close() {
      await holding;
      for (const id of held.keys()) {
        await release(id);
        await ctx.shares.releaseServer(id).catch(() => undefined);
      }
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
      const times =
        before === undefined || now() - before.untilMs > RESTRICTION_RESET_MS ? 1 : before.times + 1;
      const durationMs = Math.min(RESTRICTION_MAX_MS, RESTRICTION_FIRST_MS * 3 ** (times - 1));
      owners.set(ownerId, { untilMs: now() + durationMs, times });
      return durationMs;
    },
    has: (ownerId) => (owners.get(ownerId)?.untilMs ?? 0) > now(),
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
