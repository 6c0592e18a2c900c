import type { TaskError, TaskKind, TaskPayload, TaskResult } from '@rowhouse/contracts';
import { AppError, toAppError, LOCK_WAIT_TIMEOUT, DEADLOCK } from '@rowhouse/errors';
import { readServerFault, type AdminSession } from '@rowhouse/mysql';
import { ACCOUNT_TASKS, LeaseLostError, type ClaimedTask } from '@rowhouse/platform-store';
import { seedRows } from '../seed/seed-rows.js';
import { exportDatabase } from '../transfer/export-database.js';
import { loadRows } from '../transfer/load-rows.js';
import { readImport } from '../transfer/read-import.js';
import { restoreDatabase } from '../transfer/restore-database.js';
import { holdContext } from '../jobs/hold-context.js';
import type { HeldLease, WorkerContext } from '../worker-context.js';
import { createConnection, revokeConnection } from './connection-accounts.js';
import { grantRights } from './grant-rights.js';
import { planRevert } from './plan-revert.js';
import { planSchema } from './plan-schema.js';
import { probeServer } from './probe-server.js';
import { provisionDatabase, dropDatabase } from './provision-database.js';
import { endRotation, rotateConnection } from './rotate-connection.js';
import { testConnection } from './test-connection.js';
import { toTaskError, toJobFault } from '../jobs/job-faults.js';

type Handlers = {
  readonly [K in TaskKind]: (ctx: WorkerContext, payload: TaskPayload<K>) => Promise<TaskResult<K>>;
};

/** One handler for each kind of task, as the type requires. */
const TASK_HANDLERS: Handlers = {
  provision_database: provisionDatabase,
  drop_database: dropDatabase,
  create_connection: createConnection,
  revoke_connection: revokeConnection,
  rotate_connection: rotateConnection,
  test_connection: testConnection,
  end_rotation: endRotation,
  grant_rights: grantRights,
  plan_schema: planSchema,
  plan_revert: planRevert,
  probe_server: probeServer,
  export_database: exportDatabase,
  read_import: readImport,
  restore_database: restoreDatabase,
  load_rows: loadRows,
  seed_rows: seedRows,
};

const ATTEMPTS_MAX = 6;
const RETRY_DELAY_MS = 500;
/**
 * The longest interval between two attempts, in milliseconds, for tasks that no user would request again.
 * Such a task is tried for as long as its server is down.
 */
const UNTIL_DONE_INTERVALS_MS: Readonly<Partial<Record<TaskKind, number>>> = {
  revoke_connection: 30_000,
  drop_database: 300_000,
};
/**
 * The maximum number of times that a task is claimed. If a task has killed this many workers, it would
 * probably kill the next one too. There is no limit for tasks that remove accounts.
 */
const CLAIMS_MAX = 20;

/**
 * Runs a claimed task and records its result. Every handler is safe to run again, so a server error is
 * retried. Throws LeaseLostError when the lease is lost. After the lease is lost, nothing is sent or written.
 */
export async function runTask(ctx: WorkerContext, task: ClaimedTask, lease: HeldLease): Promise<void> {
  const startedAt = performance.now();
  const payload = withoutSecrets(task.payload);
  try {
    const handler = TASK_HANDLERS[task.kind] as
      | ((ctx: WorkerContext, payload: never) => Promise<unknown>)
      | undefined;
    if (handler === undefined) throw new Error(`no handler for tasks of the kind ${task.kind}`);
    if (task.attempt > CLAIMS_MAX && !ACCOUNT_TASKS.includes(task.kind))
      throw new AppError('internal.defect', { internal: `claimed ${task.attempt} times` });
    if (await isWaitingForMove(ctx, task)) return await ctx.tasks.postpone(task, RETRY_DELAY_MS);
    const result = await handler(holdContext(ctx, lease), task.payload as never);
    ctx.failPoint('task-before-done');
    await ctx.tasks.complete(task, result, payload);
    ctx.logger.info(
      {
        task: task.id,
        kind: task.kind,
        database: task.databaseId,
        attempt: task.attempt,
        durationMs: Math.round(performance.now() - startedAt),
      },
      'task done',
    );
  } catch (error) {
    if (lease.signal.aborted) throw new LeaseLostError(task.id);
    if (error instanceof LeaseLostError) throw error;
    const intervalMs = UNTIL_DONE_INTERVALS_MS[task.kind];
    if (mayRunLater(error) && (task.attempt < ATTEMPTS_MAX || intervalMs !== undefined)) {
      ctx.logger.warn(
        { task: task.id, kind: task.kind, attempt: task.attempt, err: error },
        'task will be tried again',
      );
      await ctx.tasks.release(
        task,
        Math.min(RETRY_DELAY_MS * task.attempt, intervalMs ?? Number.POSITIVE_INFINITY),
      );
      return;
    }
    const fault = toFault(error);
    ctx.logger[fault.status >= 500 ? 'error' : 'info'](
      { task: task.id, kind: task.kind, code: fault.code, err: error },
      'task failed',
    );
    await ctx.tasks.fail(task, toTaskError(fault), payload, (session) =>
      noteFailure(ctx, task, toTaskError(fault), session),
    );
    const { fileId, loadId } = readTransfer(task);
    if (fileId !== undefined && loadId === undefined)
      await ctx.transfers
        .dropPieces(fileId)
        .catch((left: unknown) =>
          ctx.logger.warn({ task: task.id, err: left }, 'pieces of a file that has failed were left behind'),
        );
  }
}

/**
 * Returns whether the task must wait for a move. A task checks this after it was claimed, and a move checks
 * for claimed tasks after it was announced, so at least one of them notices the other.
 */
async function isWaitingForMove(
  ctx: Pick<WorkerContext, 'directory'>,
  { kind, databaseId }: ClaimedTask,
): Promise<boolean> {
  return (
    databaseId !== null &&
    ACCOUNT_TASKS.includes(kind) &&
    (await ctx.directory.readDatabase(databaseId)).locationState === 'moving'
  );
}

/**
 * Marks the subject of the task as failed, for clients that do not wait for the task. The mark is written
 * together with the task's result, and only under the lease.
 */
async function noteFailure(
  ctx: Pick<WorkerContext, 'directory' | 'transfers'>,
  task: ClaimedTask,
  error: TaskError,
  session: AdminSession,
): Promise<void> {
  const { kind, databaseId } = task;
  const { fileId, loadId } = readTransfer(task);
  if (loadId !== undefined) await ctx.transfers.endLoad(loadId, 'failed', error, session);
  else if (fileId !== undefined) await ctx.transfers.failFile(fileId, error, session);
  if ((kind === 'provision_database' || kind === 'restore_database') && databaseId !== null)
    await ctx.directory.markProvisionFailed(databaseId, session);
}

function readTransfer(task: ClaimedTask): {
  readonly fileId: string | undefined;
  readonly loadId: string | undefined;
} {
  const { load_id: loadId, file_id: fileId } = task.payload as { load_id?: string; file_id?: string };
  return { fileId, loadId };
}

/** Returns the error for a table that its owner keeps locked, once the task has waited long enough. */
function toFault(error: unknown): AppError {
  if (readServerFault(error)?.errno !== LOCK_WAIT_TIMEOUT) return toJobFault(error);
  return new AppError('db.timeout', {
    detail: 'A session has locked a table of this database.',
    hint: 'End long transactions and LOCK TABLES on direct connections, and try again.',
    cause: error,
  });
}

/** Returns whether a retry may succeed because the server, or the connection to it, was down. */
function mayRunLater(error: unknown): boolean {
  const fault = readServerFault(error);
  if (fault !== null)
    return fault.isConnectionLost || fault.errno === LOCK_WAIT_TIMEOUT || fault.errno === DEADLOCK;
  return ['db.unavailable', 'db.account_refused'].includes(toAppError(error).code);
}

function withoutSecrets(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('password_sealed' in payload)) return payload;
  return { ...payload, password_sealed: '' };
}
