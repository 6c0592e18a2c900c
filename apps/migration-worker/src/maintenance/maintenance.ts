import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { WorkerContext } from '../worker-context.js';
import { createShareWatch } from '../shares/watch-shares.js';
import { createPreparedSweep } from './end-prepared.js';
import { guardStopwordTables } from '../accounts/guard-stopword-tables.js';
import { measureStorage, createStorageProbe } from './measure-storage.js';
import { createTelemetryPurge } from './purge-telemetry.js';
import { createAccountSweep } from './sweep-accounts.js';

const PURGE_INTERVAL_MS = 60_000;
const MEASURE_INTERVAL_MS = 60_000;
/** The interval at which nearly full servers are measured, in milliseconds. */
const MEASURE_TIGHT_INTERVAL_MS = 5_000;
const GLANCE_INTERVAL_MS = 5_000;
const PREPARED_INTERVAL_MS = 15_000;
const STOPWORDS_INTERVAL_MS = 60_000;
/**
 * The interval at which the quotas of nearly full servers are enforced, in milliseconds. Most checks return
 * without doing anything.
 */
const SHARES_INTERVAL_MS = 250;
const STOP_DEADLINE_MS = 2_000;

export interface Maintenance {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Runs maintenance and measurements that no user requests. Every worker runs all of this work, which is
 * safe: a second worker finds nothing to purge and measures the same sizes.
 */
export function createMaintenance(ctx: WorkerContext): Maintenance {
  const stopping = new AbortController();
  const purge = createTelemetryPurge(ctx.retention);
  const prepared = createPreparedSweep(ctx);
  const accounts = createAccountSweep(ctx);
  const timers: NodeJS.Timeout[] = [];
  const running = new Set<Promise<void>>();
  /** Servers that were three quarters full at the last check. */
  const tight = new Set<string>();
  /** Servers that will soon be three quarters full if they keep growing at their current rate. */
  const filling = new Set<string>();
  const storageProbe = createStorageProbe(ctx);
  const shares = createShareWatch(ctx);

  async function eachServer(
    isWanted: (serverId: string) => boolean,
    failure: string,
    callback: (server: WorkerServer) => Promise<void>,
  ): Promise<void> {
    for (const server of (await ctx.directory.listServers()).filter(({ id }) => isWanted(id))) {
      if (stopping.signal.aborted) return;
      // A server that is down must not prevent work on the others.
      await callback(server).catch((error: unknown) =>
        ctx.logger.warn({ server: server.id, err: error }, failure),
      );
    }
  }

  const measure = (isWanted: (serverId: string) => boolean): Promise<void> =>
    eachServer(isWanted, 'a server could not be measured', async (server) => {
      const { isTight } = await measureStorage(ctx, server);
      if (isTight) tight.add(server.id);
      else tight.delete(server.id);
    });

  function every(intervalMs: number, what: string, callback: () => Promise<void>): void {
    let isRunning = false;
    const begin = (): void => {
      if (isRunning || stopping.signal.aborted) return;
      isRunning = true;
      const done: Promise<void> = callback()
        .catch((error: unknown) => ctx.logger.warn({ err: error }, `${what} failed`))
        .finally(() => {
          isRunning = false;
          running.delete(done);
        });
      running.add(done);
    };
    timers.push(setInterval(begin, intervalMs));
    begin();
  }

  return {
    start() {
      every(PURGE_INTERVAL_MS, 'the purge of old telemetry', async () => {
        const rows = await purge.run(stopping.signal);
        if (rows > 0) ctx.logger.info({ rows }, 'old telemetry purged');
      });
      every(MEASURE_INTERVAL_MS, 'the measurement of storage', () => measure(() => true));
      every(MEASURE_TIGHT_INTERVAL_MS, 'the measurement of servers that fill up', async () => {
        if (tight.size + filling.size > 0)
          await measure((serverId) => tight.has(serverId) || filling.has(serverId));
      });
      every(GLANCE_INTERVAL_MS, 'the look at how fast servers fill up', () =>
        eachServer(
          (serverId) => !tight.has(serverId),
          'a server could not be glanced at',
          async (server) => {
            if (await storageProbe.isFillingUp(server)) filling.add(server.id);
            else filling.delete(server.id);
          },
        ),
      );
      every(PREPARED_INTERVAL_MS, 'the look for prepared transactions', () =>
        eachServer(
          () => true,
          'prepared transactions could not be looked at',
          async (server) => void (await prepared.run(server)),
        ),
      );
      every(STOPWORDS_INTERVAL_MS, 'the look for stopword tables', () =>
        eachServer(
          () => true,
          'stopword tables could not be looked for',
          async (server) => void (await guardStopwordTables(ctx, server)),
        ),
      );
      every(ctx.accountSweepMs, 'the account sweep', () =>
        eachServer(
          () => true,
          'the accounts of a server could not be looked at',
          async (server) => void (await accounts.run(server)),
        ),
      );
      every(SHARES_INTERVAL_MS, 'the look at sessions of direct connections', async () => shares.check());
    },
    async stop() {
      stopping.abort();
      timers.forEach((timer) => clearInterval(timer));
      const deadline = pause(STOP_DEADLINE_MS, undefined, { ref: false });
      await Promise.race([Promise.all(running).then(() => shares.close()), deadline]);
    },
  };
}
