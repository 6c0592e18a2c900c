import { setTimeout as pause } from 'node:timers/promises';
import type { JobNotification } from '@rowhouse/contracts';
import {
  LeaseLostError,
  type MigrationBounds,
  type MigrationJournal,
  type TaskBounds,
} from '@rowhouse/platform-store';
import type { JobNotificationConsumer } from '@rowhouse/queue';
import { createJobNotificationConsumer } from '@rowhouse/queue/job-notifications';
import { runMigration } from '../online-ddl/run-migration.js';
import { runMove } from '../move/run-move.js';
import { runTask } from '../tasks/run-task.js';
import type { HeldLease, JobLease, WorkerContext } from '../worker-context.js';
import { createJobSlots } from './job-slots.js';
import { renewLease, LEASE_MS } from './renew-lease.js';
import { purgeSoftDeleted } from './purge-soft-deleted.js';
import { Counter, type Registry } from '@rowhouse/runtime';

const RECONCILE_INTERVAL_MS = 500;
const PURGE_INTERVAL_MS = 5_000;
const ROWS_PER_CHECK_MAX = 50;
const JOBS_MAX = 24;
const JOBS_WAITING_MAX = 72;
/** The limits for concurrent tasks. One account may use at most a third of the slots. */
const TASKS: TaskBounds = { ofProjectMax: 6, ofAccountMax: 8, plansOfAccountMax: 2, plansMax: 6 };
const MIGRATIONS_PER_SERVER: MigrationBounds = {
  atWorkMax: 8,
  atWorkOfAccountMax: 6,
  waitingMax: 24,
  waitingOfProjectMax: 4,
  waitingOfAccountMax: 12,
};
const STOP_DEADLINE_MS = 5_000;

export interface JobLoop {
  start(): void;
  /**
   * Accepts no new work, lets tasks end, and hands migrations over to another worker in their current state.
   */
  stop(): Promise<void>;
}

/**
 * Creates the loop that claims and runs jobs. It reads the journals twice a second. A job notification makes
 * a job start sooner. The claim decides which worker runs the job.
 */
export function createJobLoop(ctx: WorkerContext, options: { readonly redisUrl: string }): JobLoop {
  const running = new Map<string, Promise<void>>();
  const jobSlots = createJobSlots({ atWorkMax: JOBS_MAX, waitingMax: JOBS_WAITING_MAX });
  let consumer: JobNotificationConsumer | undefined;
  let timer: NodeJS.Timeout | undefined;
  let purgeTimer: NodeJS.Timeout | undefined;
  let isPurging = false;
  let isReading = false;
  let isReadWanted = false;
  const stopping = new AbortController();

  async function runJob(kind: JobNotification['kind'] | 'move', id: string): Promise<void> {
    if (stopping.signal.aborted || !jobSlots.take(id)) return;
    const work = claim(ctx, {
      kind,
      id,
      stopping: stopping.signal,
      setWaiting: (isWaiting) => jobSlots.setWaiting(id, isWaiting),
    }).catch((error: unknown) => logFault(ctx, id, error));
    running.set(id, work);
    await work;
    running.delete(id);
    jobSlots.leave(id);
    // A job of the same database or server may be waiting for the migration that has just ended.
    if (kind === 'migration' && !stopping.signal.aborted) void reconcile();
  }

  /**
   * Starts the jobs that can run. Only one call runs at a time. If the platform database is slow, enough
   * connections therefore remain for renewing leases.
   */
  async function reconcile(): Promise<void> {
    isReadWanted = true;
    if (isReading) return;
    isReading = true;
    while (isReadWanted) {
      isReadWanted = false;
      await readJournals();
    }
    isReading = false;
  }

  async function readJournals(): Promise<void> {
    try {
      const [tasks, migrations, moves] = await Promise.all([
        ctx.tasks.listRunnable(ROWS_PER_CHECK_MAX),
        ctx.migrations.listRunnable(ROWS_PER_CHECK_MAX, MIGRATIONS_PER_SERVER),
        ctx.moves.listRunnable(ROWS_PER_CHECK_MAX),
      ]);
      for (const id of tasks) void runJob('task', id);
      for (const id of migrations) void runJob('migration', id);
      for (const id of moves) void runJob('move', id);
    } catch (error) {
      ctx.logger.warn({ err: error }, 'the journal could not be read');
    }
  }

  async function purge(): Promise<void> {
    if (isPurging || ctx.isDdlLocked) return;
    isPurging = true;
    await purgeSoftDeleted(ctx).catch((error: unknown) =>
      ctx.logger.warn({ err: error }, 'expired objects could not be purged'),
    );
    isPurging = false;
  }

  return {
    start() {
      consumer = createJobNotificationConsumer({
        redisUrl: options.redisUrl,
        cellId: ctx.cellId,
        concurrency: JOBS_MAX,
        logger: ctx.logger,
        handle: (job) => void runJob(job.kind, job.id),
      });
      timer = setInterval(() => void reconcile(), RECONCILE_INTERVAL_MS);
      purgeTimer = setInterval(() => void purge(), PURGE_INTERVAL_MS);
      void reconcile();
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      clearInterval(purgeTimer);
      await consumer?.close();
      const deadline = pause(STOP_DEADLINE_MS, undefined, { ref: false });
      await Promise.race([Promise.all(running.values()), deadline]);
    },
  };
}

interface Found {
  readonly kind: JobNotification['kind'] | 'move';
  readonly id: string;
  readonly stopping: AbortSignal;
  readonly setWaiting: JobLease['setWaiting'];
}

function claim(ctx: WorkerContext, found: Found): Promise<void> {
  switch (found.kind) {
    case 'task':
      return claimTask(ctx, found);
    case 'migration':
      return claimMigration(ctx, found);
    case 'move':
      return claimMove(ctx, found);
  }
}

async function claimTask(ctx: WorkerContext, { id }: Found): Promise<void> {
  const task = await ctx.tasks.claim(id, { leaseMs: LEASE_MS, bounds: TASKS });
  if (task === null) return;
  ctx.failPoint('task-claimed');
  await renewLease(
    () => ctx.tasks.beat(task, LEASE_MS),
    ctx.logger,
    (lease) => runTask(ctx, task, lease),
  );
}

async function claimMigration(ctx: WorkerContext, { id, stopping, setWaiting }: Found): Promise<void> {
  if (ctx.isDdlLocked) return;
  const migration = await ctx.migrations.claim(id, { leaseMs: LEASE_MS, bounds: MIGRATIONS_PER_SERVER });
  if (migration === null) return;
  ctx.failPoint('migration-claimed');
  await runOrHandOver(ctx, stopping, {
    reported: { migration: migration.id },
    heartbeat: () => ctx.migrations.beat(migration, LEASE_MS),
    run: (lease) => runMigration(ctx, migration, { ...lease, setWaiting }),
    release: () => ctx.migrations.release(migration),
  });
}

async function claimMove(ctx: WorkerContext, { id, stopping }: Found): Promise<void> {
  const move = await ctx.moves.claim(id, LEASE_MS);
  if (move === null) return;
  ctx.failPoint('move-claimed');
  await runOrHandOver(ctx, stopping, {
    reported: { move: move.id },
    heartbeat: () => ctx.moves.beat(move, LEASE_MS),
    run: (lease) => runMove(ctx, move, lease),
    release: () => ctx.moves.release(move),
  });
}

interface LongJob {
  readonly reported: Readonly<Record<string, string>>;
  readonly heartbeat: () => Promise<boolean>;
  readonly run: (lease: HeldLease) => Promise<void>;
  readonly release: () => Promise<unknown>;
}

/**
 * Runs a long job. When the worker stops, it closes the session and hands the job over, so that another
 * worker does not have to wait for the lease to expire.
 */
async function runOrHandOver(
  ctx: Pick<WorkerContext, 'logger'>,
  stopping: AbortSignal,
  job: LongJob,
): Promise<void> {
  try {
    await renewLease(job.heartbeat, ctx.logger, job.run, stopping);
  } catch (error) {
    if (!stopping.aborted) throw error;
    await job.release();
    ctx.logger.info(job.reported, 'handed over');
  }
}

function logFault(ctx: Pick<WorkerContext, 'logger'>, id: string, error: unknown): void {
  if (error instanceof LeaseLostError) ctx.logger.warn({ row: id }, 'another worker took this over');
  else
    ctx.logger.error(
      { row: id, err: error },
      'a job was interrupted and will be claimed again when its lease expires',
    );
}

/** Wraps the journal and counts the migrations that end, by result. */
export function watchMigrations(registry: Registry, journal: MigrationJournal): MigrationJournal {
  const ended = new Counter({
    name: 'worker_migrations_total',
    help: 'Migrations that ended, by their final state',
    labelNames: ['state'],
    registers: [registry],
  });
  return {
    ...journal,
    async end(migration, state, error) {
      await journal.end(migration, state, error);
      ended.inc({ state });
    },
  };
}
