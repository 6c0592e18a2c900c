import { setTimeout as pause } from 'node:timers/promises';
import type { AdminConnection } from '@rowhouse/mysql';
import type { SharedUser, WorkerServer } from '@rowhouse/platform-store';
import { killThread } from '../servers/kill-thread.js';
import { createLazyConnection } from '../servers/lazy-connection.js';
import { nameNode } from '../servers/node-failure-tracker.js';
import type { WorkerContext } from '../worker-context.js';
import { toBounds, type IntruderBounds, type ShareBounds, type ShareSettings } from './bounds.js';
import { createStatementsWatch } from './at-work.js';
import { findOrphans } from './find-orphans.js';
import { createIntruderWatch, UNAUTHENTICATED, createHeavyOwners } from './suspect-sessions.js';
import { judgeSessions, type DirectSession, type Verdict } from './judge-sessions.js';
import {
  listHalfOpen,
  listSessions,
  listTempBytes,
  listThreads,
  listTransactions,
  readServerSize,
  type ListedSession,
  type OpenTransaction,
} from './list-sessions.js';
import { judgeIndexMemory } from './index-memory.js';
import { createNamedLocksWatch } from './named-locks.js';
import { createTableMemoryWatch, readTableBytes } from './open-tables.js';
import { createTempTablesWatch } from './temp-tables.js';
import { createThreadPriority } from './thread-priority.js';

/** Values that change slowly are read only once in this number of checks. */
const LONG_CHECK_EVERY = 5;
/**
 * If a session uses more than this fraction of its memory limit, the node is checked more often. With
 * variables of 16 MB, a session can grow by 600 MB a second.
 */
const GROWING_SHARE = 0.125;
/** The maximum number of extra sweeps before the next check is due. */
const SWEEPS_MAX = 20;
const SWEEP_PAUSE_MS = 5;

export interface NodeCheckInput {
  readonly users: ReadonlyMap<string, SharedUser>;
  readonly settings: ShareSettings;
  /** The server, whose operator may change these values at any time. */
  readonly server: Pick<WorkerServer, 'connectionsMax' | 'directConnectionsMax' | 'isDedicated'>;
  readonly isRestricted: (ownerId: string) => boolean;
}

export interface NodeCheck {
  /** The reasons for the sessions that were ended. */
  readonly verdicts: readonly Verdict[];
  /** The failures after the sessions were read. The other steps of the check have still run. */
  readonly faults: readonly unknown[];
}

export interface NodeWatch {
  /** Reads the node's sessions, and ends those beyond the limits. Throws before any session was ended. */
  check(input: NodeCheckInput): Promise<NodeCheck>;
  /** Returns the limits of the last check; null before the first check. */
  bounds(): ShareBounds | null;
  /**
   * Returns whether the next check should follow soon. Reasons are a flood of logins, a session or tables with
   * much memory, or threads of a busy owner that are not lowered yet.
   */
  isUrgent(): boolean;
  close(): Promise<void>;
}

interface TablesInput {
  readonly listed: readonly ListedSession[];
  readonly direct: readonly DirectSession[];
  readonly users: ReadonlyMap<string, SharedUser>;
  readonly max: number;
  readonly end: (verdicts: readonly Verdict[]) => Promise<void>;
}

interface AmountsInput {
  readonly listed: readonly ListedSession[];
  readonly bounds: ShareBounds;
  readonly isLongCheck: boolean;
}

type WatchContext = Pick<WorkerContext, 'access' | 'logger'>;

/**
 * Watches the direct connections of one node over one observer session. The session stays open, because a
 * full server would reject a new one.
 */
export function createNodeWatch(ctx: WatchContext, node: WorkerServer): NodeWatch {
  const connection = createLazyConnection(() => ctx.access.openNodeObserver(node));
  const heavy = createHeavyOwners();
  const priority = createThreadPriority();
  const statements = createStatementsWatch();
  const tables = createTableMemoryWatch();
  const namedLocks = createNamedLocksWatch();
  const tempTables = createTempTablesWatch();
  const ages = createAgeTracker();
  const stateAges = createAgeTracker();
  let bounds: ShareBounds | null = null;
  let transactions: ReadonlyMap<number, OpenTransaction> = new Map();
  const intruders = createIntruderWatch();
  let hasIntruders = false;
  let hasLarge = false;
  let checkCount = 0;
  /**
   * The direct sessions that the last check found. If a session is ended that no check has seen before, it
   * may be a login under another user's name.
   */
  let seen: ReadonlySet<number> = new Set();
  /**
   * Whether the server uses threads again for other sessions. If it does, the priority of such a thread must
   * not be lowered for its current session.
   */
  let keepsThreads = true;

  /** Reads the limits at each check, because an operator may change the server's limit at run time. */
  async function readBounds(
    observer: AdminConnection,
    { settings, server }: Pick<NodeCheckInput, 'settings' | 'server'>,
  ): Promise<ShareBounds> {
    const size = await readServerSize(observer, node.engine);
    keepsThreads = size.threadCache > 0;
    return toBounds(settings, {
      ...size,
      gatewaysMax: server.connectionsMax,
      directMax: server.directConnectionsMax,
    });
  }

  /** Returns a function that gives what a session holds besides its memory. */
  async function readAmounts(
    observer: AdminConnection,
    { listed, bounds: max, isLongCheck }: AmountsInput,
  ): Promise<(id: number) => Pick<DirectSession, 'tempBytes' | 'namedLocks' | 'tempTables'>> {
    const { engine } = node;
    const bytes = await listTempBytes(observer, engine);
    const locks = await namedLocks.read(observer, { engine, min: max.namedLocks.single, isLongCheck });
    const counts = await tempTables.read(observer, {
      engine,
      listed,
      min: max.tempTables.single,
      isLongCheck,
    });
    return (id) => ({
      tempBytes: bytes.get(id) ?? 0,
      namedLocks: locks.get(id) ?? 0,
      tempTables: counts.get(id) ?? 0,
    });
  }

  /**
   * Ends sessions and returns those that have ended. Adds failures to `faults`, and continues unless the
   * connection is lost.
   */
  async function endAll(
    observer: AdminConnection,
    ids: readonly number[],
    faults: unknown[],
  ): Promise<ReadonlySet<number>> {
    const ended = new Set<number>();
    for (const id of ids) {
      try {
        await killThread(observer, id).catch(async (error: unknown) => {
          if (observer.isLost()) throw error;
          // The observer account may not end sessions, so a session of the provisioner does this.
          await ctx.access.useReadyProvisioner(node, (provisioner) => killThread(provisioner, id));
        });
        ended.add(id);
      } catch (error) {
        faults.push(error);
        if (observer.isLost()) break;
      }
    }
    return ended;
  }

  /**
   * Ends sessions above the limits that have not logged in. During a flood of logins, new ones take the freed
   * sessions within milliseconds, so further checks follow at once.
   */
  async function endIntruders(
    observer: AdminConnection,
    listed: readonly ListedSession[],
    bound: IntruderBounds,
    faults: unknown[],
  ): Promise<void> {
    let found = intruders.find(
      listed.filter(({ user }) => user === UNAUTHENTICATED),
      bound,
    );
    hasIntruders = found.length > 0;
    for (let sweep = 0; found.length > 0 && sweep < SWEEPS_MAX; sweep += 1) {
      await endAll(observer, found, faults);
      await pause(SWEEP_PAUSE_MS);
      // The previous check was too recent to distinguish logins that last from new ones.
      found = intruders.find(await listHalfOpen(observer, node.engine), {
        ...bound,
        address: Number.POSITIVE_INFINITY,
      });
    }
  }

  /** Ends sessions whose statements opened too many tables, and closes the tables. */
  async function judgeTables(
    observer: AdminConnection,
    { listed, direct, users, max, end }: TablesInput,
  ): Promise<void> {
    const bytes = await readTableBytes(observer, node.engine, listed);
    await tables.check({
      engine: node.engine,
      direct,
      listed,
      users,
      bytes,
      max,
      openProvisioner: () => ctx.access.openNodeProvisioner(node),
      end,
    });
  }

  return {
    async check({ users, settings, server, isRestricted }) {
      const observer = await connection.get();
      const isLongCheck = checkCount % LONG_CHECK_EVERY === 0;
      if (bounds === null || isLongCheck) bounds = await readBounds(observer, { settings, server });
      if (isLongCheck || heavy.any()) transactions = await listTransactions(observer);
      checkCount += 1;
      const listed = withOwnAges(await listSessions(observer, node), stateAges);
      const amountsOf = await readAmounts(observer, { listed, bounds, isLongCheck });
      const openMs = ages.update(transactions);
      const direct = listed.flatMap((listedSession) => {
        const user = users.get(listedSession.user);
        if (user === undefined || (listedSession.isKilled && !seen.has(listedSession.id))) return [];
        const isAtWork =
          !listedSession.isIdle &&
          !listedSession.isWaiting &&
          transactions.get(listedSession.id)?.isWaiting !== true;
        return [
          {
            ...toDirect(listedSession, user),
            isAtWork,
            ...amountsOf(listedSession.id),
            transactionMs: openMs.get(listedSession.id) ?? null,
          },
        ];
      });
      seen = new Set(direct.map(({ id }) => id));
      hasLarge = direct.some(
        ({ memoryBytes }) => memoryBytes > GROWING_SHARE * (bounds?.memoryBytes.single ?? 0),
      );
      const giveWay = new Set([...heavy.find(direct), ...findOrphans(listed, (user) => users.has(user))]);
      if (node.capabilities?.performanceSchema === true && !keepsThreads)
        priority.apply(await listThreads(observer), giveWay, !server.isDedicated);
      // If a statement were ended, its client would log in again, and logins affect other organizations more
      // than threads with a low priority do. An organization that is alone on the server may use all of it.
      const isUnbounded = priority.isInForce() || !hasSeveralOwners(users);
      const statementsMax = isUnbounded ? Number.POSITIVE_INFINITY : bounds.statementsMax;
      const judged = [
        ...judgeSessions(direct, bounds),
        ...statements.judge(direct, statementsMax, isRestricted),
        ...(await judgeIndexMemory(observer, {
          engine: node.engine,
          direct,
          listed,
          max: bounds.memoryBytes.database,
        })),
      ];
      const verdicts: Verdict[] = [];
      const faults: unknown[] = [];
      const end = async (found: readonly Verdict[]): Promise<void> => {
        const ended = await endAll(
          observer,
          found.map(({ session }) => session.id),
          faults,
        );
        verdicts.push(...found.filter(({ session }) => ended.has(session.id)));
      };
      const noteFault = (error: unknown): void => void faults.push(error);
      await end(judged);
      const max = bounds.memoryBytes.owner;
      await judgeTables(observer, { listed, direct, users, max, end }).catch(noteFault);
      await endIntruders(observer, listed, bounds.unauthenticated, faults).catch(noteFault);
      if (verdicts.length > 0)
        ctx.logger.warn(
          { server: node.id, node: nameNode(node), ended: verdicts.length, bound: verdicts[0]?.bound },
          'sessions beyond their share ended',
        );
      return { verdicts, faults };
    },
    bounds: () => bounds,
    // A check takes locks that a login needs. It may have to wait for these locks until a thread with a low
    // priority runs again.
    isUrgent: () =>
      hasIntruders ||
      hasLarge ||
      tables.isUrgent() ||
      (heavy.any() && (!priority.isInForce() || priority.hasChanged())),
    close: () => connection.close(),
  };
}

function toDirect(
  listedSession: ListedSession,
  user: SharedUser,
): DirectSession & { readonly stateMs: number } {
  return {
    id: listedSession.id,
    connectionId: user.id,
    userName: user.userName,
    databaseId: user.databaseId,
    ownerId: user.ownerId,
    isIdle: listedSession.isIdle,
    stateMs: listedSession.stateMs ?? 0,
    idleMs: listedSession.isIdle ? (listedSession.stateMs ?? 0) : 0,
    isAtWork: false,
    memoryBytes: Math.max(listedSession.memoryBytes, listedSession.keptBytes),
    tempBytes: 0,
    namedLocks: 0,
    tempTables: 0,
    transactionMs: null,
  };
}

/**
 * Returns the sessions with ages that this watch has measured. It replaces the server's value where that
 * depends on a clock that sessions can set.
 */
function withOwnAges(listed: readonly ListedSession[], ages: AgeTracker): ListedSession[] {
  const keyed = listed.flatMap(({ id, stateKey }) =>
    stateKey === null ? [] : [[id, { key: stateKey }] as const],
  );
  const seen = ages.update(new Map(keyed));
  return listed.map((listedSession) => ({
    ...listedSession,
    stateMs: seen.get(listedSession.id) ?? listedSession.stateMs,
  }));
}

function hasSeveralOwners(users: ReadonlyMap<string, SharedUser>): boolean {
  let first: string | null = null;
  for (const { ownerId } of users.values()) {
    first ??= ownerId;
    if (ownerId !== first) return true;
  }
  return false;
}

interface AgeTracker {
  /** Updates the keys and returns how long each session has been seen with its key, in milliseconds. */
  update(keyed: ReadonlyMap<number, { readonly key: string }>): Map<number, number>;
}

function createAgeTracker(now: () => number = () => performance.now()): AgeTracker {
  let seen = new Map<string, number>();
  return {
    update(keyed) {
      const keys = [...keyed].map(([id, { key }]) => [id, key] as const);
      seen = new Map(keys.map(([, key]) => [key, seen.get(key) ?? now()]));
      return new Map(keys.map(([id, key]) => [id, now() - (seen.get(key) ?? now())]));
    },
  };
}
