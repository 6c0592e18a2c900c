import { setTimeout as pause } from 'node:timers/promises';
import { columnValuesKey } from '@rowhouse/contracts';
import type { ChangeSubscriber } from '@rowhouse/queue';
import { subscribeToRequests } from '../subscribe-to-requests.js';
import type { WorkerContext } from '../worker-context.js';
import { buildIndex } from './build-index.js';

const CHECK_INTERVAL_MS = 1_000;
const ROWS_PER_CHECK_MAX = 20;
const AT_ONCE_MAX = 4;
/** The duration of a lease, in milliseconds. It is far longer than a build. */
const LEASE_MS = 30_000;
const AGAIN_AFTER_FAULT_MS = 30_000;
const GO_ON_AFTER_MS = 5_000;
const STOP_DEADLINE_MS = 3_000;

export interface ValueIndexWriter {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Maintains the value indexes that were requested. Gateways request an index when a question arrives after
 * rows were written. The worker requests one after a schema change, and the control plane after a column was
 * hidden or opted out. The index's row determines when a build is due.
 */
export function createValueIndexWriter(
  ctx: WorkerContext,
  options: { readonly redisUrl: string },
): ValueIndexWriter {
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let subscriber: ChangeSubscriber | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isCheckWanted = false;

  async function look(): Promise<void> {
    isCheckWanted = true;
    if (isLooking) return;
    isLooking = true;
    while (isCheckWanted && !stopping.signal.aborted) {
      isCheckWanted = false;
      try {
        for (const databaseId of await ctx.values.listDue(ROWS_PER_CHECK_MAX)) begin(databaseId);
      } catch (error) {
        ctx.logger.warn({ err: error }, 'due value indexes could not be listed');
      }
    }
    isLooking = false;
  }

  function begin(databaseId: string): void {
    if (running.has(databaseId) || running.size >= AT_ONCE_MAX || stopping.signal.aborted) return;
    const work = keep(ctx, databaseId, stopping.signal)
      .catch((error: unknown) =>
        ctx.logger.warn({ database: databaseId, err: error }, 'a value index could not be kept'),
      )
      .finally(() => {
        running.delete(databaseId);
        // Starts builds that waited for a slot or were requested during this build.
        void look();
      });
    running.set(databaseId, work);
  }

  return {
    start() {
      subscriber = subscribeToRequests(ctx, options.redisUrl, {
        onValues: () => void look(),
      });
      timer = setInterval(() => void look(), CHECK_INTERVAL_MS);
      void look();
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await subscriber?.close();
      const deadline = pause(STOP_DEADLINE_MS, undefined, { ref: false });
      await Promise.race([Promise.all(running.values()), deadline]);
    },
  };
}

async function keep(ctx: WorkerContext, databaseId: string, stopping: AbortSignal): Promise<void> {
  const claimed = await ctx.values.claim(databaseId, LEASE_MS);
  if (claimed === null) return;
  const startedAtMs = performance.now();
  try {
    const { size, isComplete } = await buildIndex(ctx, claimed, stopping);
    const entry = await ctx.values.finish(claimed, size, performance.now() - startedAtMs);
    if (entry !== null) await ctx.changes.announce(entry, [columnValuesKey(ctx.cellId, databaseId)]);
    if (!isComplete) await ctx.values.want(databaseId, GO_ON_AFTER_MS);
    if (size !== null)
      ctx.logger.info(
        { database: databaseId, columns: size.columns, values: size.values, bytes: size.bytes },
        'value index written',
      );
  } catch (error) {
    await ctx.values.giveBack(claimed, AGAIN_AFTER_FAULT_MS);
    throw error;
  }
}
