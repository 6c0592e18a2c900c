import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeSubscriber } from '@rowhouse/queue';
import { subscribeToRequests } from '../subscribe-to-requests.js';
import type { WorkerContext } from '../worker-context.js';
import { createRepairService } from '../accounts/repair/repair-service.js';
import { createAccountSweep } from '../maintenance/sweep-accounts.js';
import { examineDatabase } from './examine-database.js';
import { createExaminationQueue } from './examination-queue.js';
import {
  createServerWatch,
  type ServerWatch,
  type SuspectedDatabases,
  HOLD_LEASE_MS,
} from './watch-server.js';

/** The users that were last seen running DDL, by database. */
interface Actors {
  /** Records the users that one check of one node has found. */
  note(databaseId: string, users: readonly string[]): void;
  /**
   * Returns the user last seen running DDL. Returns '' when no user was seen, or when several were seen at
   * about the same time.
   */
  find(databaseId: string): string;
}

/**
 * If two users are seen within this time, in milliseconds, both count as seen at the same time. The nodes of
 * a cluster are checked in parallel.
 */
const SAME_TIME_MS = 200;

const CHECK_INTERVAL_MS = 250;
const HOLD_INTERVAL_MS = 2_000;
const REQUESTS_MAX = 100;
const SEE_ACTOR_MS_MAX = 1_000;

export interface Detector {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Detects schemas that were changed over direct connections, on the servers that this worker holds. A gateway
 * that finds an unknown name requests a check, with a message and a row in the platform database. Only one
 * worker examines a database.
 */
export function createDetector(ctx: WorkerContext, options: { readonly redisUrl: string }): Detector {
  const watches = new Map<string, ServerWatch>();
  const actors = createActors();
  /**
   * Databases that a gateway has asked to examine, and whose change has not been attributed to a user yet.
   */
  const unseen = new Set<string>();
  const repairs = createRepairService(ctx, createAccountSweep(ctx));
  const queue = createExaminationQueue(ctx.logger, async (databaseId) => {
    if (unseen.delete(databaseId)) await recordActor(databaseId);
    return examineDatabase(ctx, databaseId, actors.find(databaseId));
  });
  const timers: NodeJS.Timeout[] = [];
  let holding: Promise<void> | null = null;
  let isStopped = false;
  let subscriber: ChangeSubscriber | undefined;

  function startHold(): void {
    holding ??= hold().finally(() => {
      holding = null;
    });
  }

  /** Leases servers, watches those that this worker holds, and handles requests of gateways. Never rejects. */
  async function hold(): Promise<void> {
    try {
      const servers = (await ctx.directory.listServers()).filter(({ capabilities }) => capabilities !== null);
      await Promise.all(
        servers.map(async (server) => {
          if (isStopped) return;
          const isHeld = await ctx.detects.holdServer(server.id, HOLD_LEASE_MS);
          if (!isHeld || watches.get(server.id)?.isOf(server) === false) void release(server.id);
          if (isHeld && !watches.has(server.id))
            watches.set(server.id, createServerWatch(ctx, server, suspect));
        }),
      );
      if (isStopped) return;
      // The requests are not awaited, because the leases must be renewed in the meantime.
      for (const databaseId of await ctx.detects.listRequested(REQUESTS_MAX)) void askIfHeld(databaseId);
      for (const databaseId of await ctx.detects.listRepairs(REQUESTS_MAX)) void repairIfHeld(databaseId);
    } catch (error) {
      ctx.logger.warn({ err: error }, 'servers could not be held for watching');
    }
  }

  async function release(serverId: string): Promise<void> {
    const watch = watches.get(serverId);
    watches.delete(serverId);
    // A server that does not respond may delay the end of its session.
    await watch?.close().catch(() => undefined);
  }

  /**
   * Queues the database if this worker holds its server. The request then counts as handled, so a later
   * request causes another check.
   */
  async function askIfHeld(databaseId: string): Promise<void> {
    try {
      const database = await ctx.directory.readDatabase(databaseId);
      if (!watches.has(database.serverId)) return;
      await ctx.detects.markHandled([databaseId]);
      unseen.add(databaseId);
      queue.ask(databaseId);
    } catch (error) {
      ctx.logger.warn({ database: databaseId, err: error }, 'a request to examine a database was dropped');
    }
  }

  async function repairIfHeld(databaseId: string): Promise<void> {
    try {
      const database = await ctx.directory.readDatabase(databaseId);
      if (watches.has(database.serverId)) await repairs.ask(databaseId);
    } catch (error) {
      ctx.logger.warn(
        { database: databaseId, err: error },
        'the accounts of a database could not be looked at',
      );
    }
  }

  function suspect(suspects: SuspectedDatabases): void {
    for (const [databaseId, users] of suspects) {
      actors.note(databaseId, users);
      queue.ask(databaseId);
    }
  }

  /**
   * Finds the user who changed a database by checking its server once more. Waits at most `SEE_ACTOR_MS_MAX`,
   * because publishing the change soon is more important than knowing the user.
   */
  async function recordActor(databaseId: string): Promise<void> {
    const { serverId } = await ctx.directory.readDatabase(databaseId);
    const looked = watches.get(serverId)?.checkAgain();
    if (looked !== undefined) await Promise.race([looked, pause(SEE_ACTOR_MS_MAX)]);
  }

  return {
    start() {
      subscriber = subscribeToRequests(ctx, options.redisUrl, {
        onDetect: (databaseId) => void askIfHeld(databaseId),
        onRepair: (databaseId) => void repairIfHeld(databaseId),
      });
      timers.push(setInterval(startHold, HOLD_INTERVAL_MS));
      timers.push(setInterval(() => watches.forEach((watch) => void watch.check()), CHECK_INTERVAL_MS));
      startHold();
    },
    async stop() {
      isStopped = true;
      timers.forEach((timer) => clearInterval(timer));
      queue.stop();
      await subscriber?.close();
      // A lease attempt that is in progress may have leased a server that is not watched yet, so it is
      // awaited.
      await holding;
      await Promise.all(
        [...watches.keys()].map(async (serverId) => {
          await release(serverId);
          await ctx.detects.releaseServer(serverId).catch(() => undefined);
        }),
      );
    },
  };
}

export function createActors(nowMs: () => number = () => performance.now()): Actors {
  const seen = new Map<string, { readonly user: string; readonly atMs: number }>();
  return {
    note(databaseId, users) {
      const [only = ''] = users;
      const before = seen.get(databaseId);
      const isSole =
        users.length === 1 &&
        (before === undefined || before.user === only || nowMs() - before.atMs > SAME_TIME_MS);
      seen.set(databaseId, { user: isSole ? only : '', atMs: nowMs() });
    },
    find: (databaseId) => seen.get(databaseId)?.user ?? '',
  };
}
