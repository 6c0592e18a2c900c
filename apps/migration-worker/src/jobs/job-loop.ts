import type { WakeJob } from '@rowhouse/contracts';
import { LeaseLostError } from '@rowhouse/platform-store';
import { createWakeConsumer, type WakeConsumer } from '@rowhouse/queue';
import { runMigration } from '../online-ddl/run-migration.js';
import { runTask } from '../tasks/run-task.js';
import type { WorkerContext } from '../worker-context.js';
import { keepLease, LEASE_MS } from './keep-lease.js';

const RECONCILE_INTERVAL_MS = 2_000;
const ROWS_PER_LOOK_MAX = 50;
const JOBS_MAX = 24;
const MIGRATIONS_PER_SERVER_MAX = 8;
const STOP_DEADLINE_MS = 5_000;

export interface JobLoop {
  start(): void;
  /** Takes no new work and waits a little for what runs; what does not end is claimed by another worker later. */
  stop(): Promise<void>;
}

/** Looks at rows when woken and every two seconds besides. A wake-up only hurries: the claim decides who works. */
export function createJobLoop(ctx: WorkerContext, options: { readonly redisUrl: string }): JobLoop {
  const running = new Map<string, Promise<void>>();
  let consumer: WakeConsumer | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;

  async function look(kind: WakeJob['kind'], id: string): Promise<void> {
    if (isStopping || running.has(id) || running.size >= JOBS_MAX) return;
    const work = (kind === 'task' ? claimTask(ctx, id) : claimMigration(ctx, id)).catch((error: unknown) => logFault(ctx, id, error));
    running.set(id, work);
    await work;
    running.delete(id);
    // The next of the same database or server may have waited for this one.
    if (kind === 'migration' && !isStopping) void reconcile();
  }

  async function reconcile(): Promise<void> {
    try {
      const [tasks, migrations] = await Promise.all([ctx.tasks.listRunnable(ROWS_PER_LOOK_MAX), ctx.migrations.listRunnable(ROWS_PER_LOOK_MAX)]);
      for (const id of tasks) void look('task', id);
      for (const id of migrations) void look('migration', id);
    } catch (error) {
      ctx.logger.warn({ err: error }, 'the journal could not be read');
    }
  }

  return {
    start() {
      consumer = createWakeConsumer({ redisUrl: options.redisUrl, cellId: ctx.cellId, concurrency: JOBS_MAX, logger: ctx.logger, handle: (job) => look(job.kind, job.id) });
      timer = setInterval(() => void reconcile(), RECONCILE_INTERVAL_MS);
      void reconcile();
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await consumer?.close();
      const deadline = new Promise((resolve) => {
        setTimeout(resolve, STOP_DEADLINE_MS).unref();
      });
      await Promise.race([Promise.all(running.values()), deadline]);
    },
  };
}

async function claimTask(ctx: WorkerContext, id: string): Promise<void> {
  const task = await ctx.tasks.claim(id, LEASE_MS);
  if (task === null) return;
  ctx.failPoint('task-claimed');
  await keepLease(() => ctx.tasks.beat(task, LEASE_MS), ctx.logger, () => runTask(ctx, task));
}

async function claimMigration(ctx: WorkerContext, id: string): Promise<void> {
  if (ctx.isDdlLocked) return;
  const migration = await ctx.migrations.claim(id, { leaseMs: LEASE_MS, perServerMax: MIGRATIONS_PER_SERVER_MAX });
  if (migration === null) return;
  ctx.failPoint('migration-claimed');
  await keepLease(() => ctx.migrations.beat(migration, LEASE_MS), ctx.logger, (lease) => runMigration(ctx, migration, lease));
}

function logFault(ctx: WorkerContext, id: string, error: unknown): void {
  if (error instanceof LeaseLostError) ctx.logger.warn({ row: id }, 'another worker took this over');
  else ctx.logger.error({ row: id, err: error }, 'work broke off; it will be claimed again when its lease runs out');
}
