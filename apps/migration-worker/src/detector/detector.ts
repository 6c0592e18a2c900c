import { createChangeSubscriber, type ChangeSubscriber } from '@rowhouse/queue';
import type { WorkerContext } from '../worker-context.js';
import { examineDatabase } from './examine-database.js';
import { createExaminationQueue } from './examination-queue.js';
import { createServerWatch, type ServerWatch } from './watch-server.js';

const LOOK_INTERVAL_MS = 250;
const HOLD_INTERVAL_MS = 2_000;
const HOLD_LEASE_MS = 8_000;
const REQUESTS_MAX = 100;

export interface Detector {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Finds schemas that were changed over direct connections, on the servers that this worker holds. Gateways that met an
 * unknown name ask for a look by message and by row; asked or found, a database is looked at by one worker only.
 */
export function createDetector(ctx: WorkerContext, options: { readonly redisUrl: string }): Detector {
  const watches = new Map<string, ServerWatch>();
  /** Who was last seen at work on a database; forgotten when nobody or more than one was. */
  const actors = new Map<string, string>();
  /** Asked for by a gateway, which knows a missing name and not who took it away. */
  const unseen = new Set<string>();
  const queue = createExaminationQueue(ctx.logger, async (databaseId) => {
    if (unseen.delete(databaseId)) await seeActor(databaseId);
    return examineDatabase(ctx, databaseId, actors.get(databaseId));
  });
  const timers: NodeJS.Timeout[] = [];
  const looking = new Map<string, Promise<void>>();
  let isHolding = false;
  let subscriber: ChangeSubscriber | undefined;

  async function hold(): Promise<void> {
    if (isHolding) return;
    isHolding = true;
    try {
      for (const server of await ctx.directory.listServers()) {
        if (server.capabilities === null) continue;
        const isHeld = await ctx.detects.holdServer(server.id, HOLD_LEASE_MS);
        if (!isHeld || watches.get(server.id)?.isOf(server) === false) await letGo(server.id);
        if (isHeld && !watches.has(server.id)) watches.set(server.id, createServerWatch(ctx, server));
      }
      const wanted = await ctx.detects.listRequested(REQUESTS_MAX);
      for (const databaseId of wanted) await askIfHeld(databaseId);
    } catch (error) {
      ctx.logger.warn({ err: error }, 'servers could not be held for watching');
    }
    isHolding = false;
  }

  async function letGo(serverId: string): Promise<void> {
    const watch = watches.get(serverId);
    watches.delete(serverId);
    await watch?.close();
  }

  /** Handled from here on: what is asked for from now on wants a look of its own. */
  async function askIfHeld(databaseId: string): Promise<void> {
    try {
      const database = await ctx.directory.readDatabase(databaseId);
      if (!watches.has(database.serverId)) return;
      await ctx.detects.markHandled([databaseId]);
      unseen.add(databaseId);
      queue.ask(databaseId);
    } catch (error) {
      ctx.logger.warn({ database: databaseId, err: error }, 'a wish to look at a database was dropped');
    }
  }

  function look(serverId: string, watch: ServerWatch): Promise<void> {
    const running = looking.get(serverId);
    if (running !== undefined) return running;
    const looked = watch
      .look()
      .then((found) => found.forEach((users, databaseId) => {
        actors.set(databaseId, users.length === 1 ? (users[0] ?? '') : '');
        queue.ask(databaseId);
      }))
      .catch((error: unknown) => ctx.logger.warn({ server: serverId, err: error }, 'a server could not be watched'))
      .finally(() => looking.delete(serverId));
    looking.set(serverId, looked);
    return looked;
  }

  /** A look of its own: one that was under way may have begun before the statement ended. */
  async function seeActor(databaseId: string): Promise<void> {
    const { serverId } = await ctx.directory.readDatabase(databaseId);
    await looking.get(serverId);
    const watch = watches.get(serverId);
    if (watch !== undefined) await look(serverId, watch);
  }

  return {
    start() {
      subscriber = createChangeSubscriber({
        redisUrl: options.redisUrl,
        cellId: ctx.cellId,
        signer: ctx.signer,
        onIgnored: ctx.countIgnored,
        onEntry: () => undefined,
        onDetect: (databaseId) => void askIfHeld(databaseId),
        onGap: () => undefined,
      });
      timers.push(setInterval(() => void hold(), HOLD_INTERVAL_MS));
      timers.push(setInterval(() => watches.forEach((watch, serverId) => void look(serverId, watch)), LOOK_INTERVAL_MS));
      void hold();
    },
    async stop() {
      timers.forEach((timer) => clearInterval(timer));
      queue.stop();
      await subscriber?.close();
      for (const serverId of watches.keys()) {
        await letGo(serverId);
        await ctx.detects.releaseServer(serverId).catch(() => undefined);
      }
    },
  };
}
