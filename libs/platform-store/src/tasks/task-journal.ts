import { setImmediate as nextSlice } from 'node:timers/promises';
import type { TaskError, TaskKind } from '@rowhouse/contracts';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import { ACCOUNT_TASKS } from '../journal/move-journal.js';
import { readJson } from '../sql-values.js';
import { LeaseLostError } from '../journal/lease-lost-error.js';

export interface ClaimedTask {
  readonly id: string;
  readonly kind: TaskKind;
  readonly databaseId: string | null;
  readonly projectId: string | null;
  readonly payload: unknown;
  readonly attempt: number;
  readonly fencingToken: number;
}

/**
 * The maximum numbers of long tasks that run at the same time. Each of them may wait for tables that an owner
 * has locked, and must not block the tasks of other owners.
 */
export interface TaskBounds {
  readonly ofProjectMax: number;
  /** The maximum for all projects of one account. */
  readonly ofAccountMax: number;
  /**
   * The maximum numbers of previews and plans, for one account and in total. They use scratch databases on
   * the same server that deploys need.
   */
  readonly plansOfAccountMax: number;
  readonly plansMax: number;
}

/**
 * The worker's access to the table `task`. To claim, renew or complete a task, an update compares the owner
 * and the fencing token, with the time of the platform database.
 */
export interface TaskJournal {
  /**
   * Returns the tasks that can be claimed now. They are queued and due, or running with an expired lease. The
   * list alternates between accounts and between the projects of an account, with the oldest first.
   */
  listRunnable(rowsMax: number): Promise<string[]>;
  /**
   * Claims a task. Returns null if another worker was faster, if the task is not due, or if the maximum for
   * its project or account is reached.
   */
  claim(
    taskId: string,
    options: { readonly leaseMs: number; readonly bounds: TaskBounds },
  ): Promise<ClaimedTask | null>;
  /** Renews the lease. Returns false if the lease was lost. */
  beat(task: ClaimedTask, leaseMs: number): Promise<boolean>;
  /**
   * Completes the task. `payload` replaces its stored payload, so that secrets are removed when the task
   * ends.
   */
  complete(task: ClaimedTask, result: unknown, payload: unknown): Promise<void>;
  /** Marks the task as failed. Calls `note` in the same transaction. */
  fail(
    task: ClaimedTask,
    error: TaskError,
    payload: unknown,
    note: (session: AdminSession) => Promise<void>,
  ): Promise<void>;
  /** Returns the task to the queue for another attempt after `delayMs`. */
  release(task: ClaimedTask, delayMs: number): Promise<void>;
  /** Returns the task to the queue without counting an attempt. */
  postpone(task: ClaimedTask, delayMs: number): Promise<void>;
}

type ShareRow = Readonly<
  Record<'of_project' | 'of_account' | 'is_plan' | 'plans' | 'plans_of_account', number | string>
>;

interface TaskRow {
  id: string;
  kind: string;
  database_id: string | null;
  project_id: string | null;
  payload: unknown;
  attempt: number;
  fencing_token: number;
  lease_owner: string | null;
  state: string;
}

const RUNNABLE = `(state = 'queued' AND run_after <= UTC_TIMESTAMP(3)) OR (state = 'running' AND lease_expires_at < UTC_TIMESTAMP(3))`;

/** The kinds of short tasks that must not wait, such as the revocation of access. */
const QUICK = ACCOUNT_TASKS.map((kind) => `'${kind}'`).join(',');
/** The kinds of tasks that use scratch databases. */
const PLANS = (['plan_schema', 'plan_revert'] satisfies TaskKind[]).map((kind) => `'${kind}'`).join(',');
/** An SQL condition for the tasks to which the maximum numbers for a project and an account apply. */
const IS_SHARED = `(project_id IS NOT NULL AND kind NOT IN (${QUICK}))`;

/** The length in characters from which a text is serialized in a slice of its own on the event loop. */
const LARGE_LENGTH = 256 * 1024;

export function createTaskJournal(
  pool: AdminPool,
  options: { readonly cellId: string; readonly owner: string },
): TaskJournal {
  const { cellId, owner } = options;

  async function end(
    session: AdminSession,
    task: ClaimedTask,
    ending: { readonly state: 'done' | 'failed'; readonly result: unknown; readonly error: TaskError | null },
    payload: unknown,
  ): Promise<void> {
    const { state, result, error } = ending;
    // The code that created the result may have used the event loop until now, so other work runs first.
    await nextSlice();
    const text = result === null ? null : JSON.stringify(result);
    // The text may be a schema of several megabytes, and the statement contains it.
    if (text !== null && text.length > LARGE_LENGTH) await nextSlice();
    const provided = JSON.stringify(payload);
    if (provided.length > LARGE_LENGTH) await nextSlice();
    const { affectedRows } = await session.run(
      `UPDATE task SET state = ?, result = ?, error = ?, payload = ?, lease_expires_at = NULL, finished_at = UTC_TIMESTAMP(3)
       WHERE id = ? AND state = 'running' AND lease_owner = ? AND fencing_token = ?`,
      [
        state,
        text,
        error === null ? null : JSON.stringify(error),
        provided,
        task.id,
        owner,
        task.fencingToken,
      ],
    );
    if (affectedRows === 0) throw new LeaseLostError(task.id);
  }

  async function requeue(task: ClaimedTask, attempt: number, delayMs: number): Promise<void> {
    const { affectedRows } = await pool.run(
      `UPDATE task SET state = 'queued', attempt = ?, lease_owner = NULL, lease_expires_at = NULL, run_after = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
       WHERE id = ? AND state = 'running' AND lease_owner = ? AND fencing_token = ?`,
      [attempt, delayMs * 1_000, task.id, owner, task.fencingToken],
    );
    if (affectedRows === 0) throw new LeaseLostError(task.id);
  }

  /**
   * Reports whether the maximum for the task's project or account is reached, counted over all workers.
   * Returns null if no maximum applies to the task.
   */
  async function isShareUsed(taskId: string, bounds: TaskBounds): Promise<boolean | null> {
    const isOwn = '(r.project_id = own.project_id OR r.account_id = own.account_id)';
    const [found] = await pool.rows<ShareRow>(
      `SELECT COALESCE(SUM(r.project_id = own.project_id), 0) AS of_project, COALESCE(SUM(${isOwn}), 0) AS of_account,
         own.is_plan, COALESCE(SUM(r.kind IN (${PLANS})), 0) AS plans, COALESCE(SUM(r.kind IN (${PLANS}) AND ${isOwn}), 0) AS plans_of_account
       FROM (SELECT project_id, account_id, kind IN (${PLANS}) AS is_plan FROM task WHERE id = ? AND cell_id = ? AND ${IS_SHARED}) own
       LEFT JOIN task r ON r.cell_id = ? AND r.state = 'running' AND r.lease_expires_at >= UTC_TIMESTAMP(3) AND r.kind NOT IN (${QUICK})
       GROUP BY own.project_id, own.is_plan`,
      [taskId, cellId, cellId],
    );
    if (found === undefined) return null;
    if (Number(found.of_project) >= bounds.ofProjectMax || Number(found.of_account) >= bounds.ofAccountMax)
      return true;
    return (
      Number(found.is_plan) === 1 &&
      (Number(found.plans) >= bounds.plansMax || Number(found.plans_of_account) >= bounds.plansOfAccountMax)
    );
  }

  async function claimRow(taskId: string, leaseMs: number): Promise<ClaimedTask | null> {
    const { affectedRows } = await pool.run(
      `UPDATE task SET state = 'running', lease_owner = ?, lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND,
         fencing_token = fencing_token + 1, attempt = attempt + 1
       WHERE id = ? AND cell_id = ? AND (${RUNNABLE})`,
      [owner, leaseMs * 1_000, taskId, cellId],
    );
    if (affectedRows === 0) return null;
    const [row] = await pool.rows<TaskRow>('SELECT * FROM task WHERE id = ?', [taskId]);
    return row === undefined || row.lease_owner !== owner || row.state !== 'running'
      ? null
      : toClaimedTask(row);
  }

  /**
   * The previous claim. Claims in this process run one after the other: if they ran at the same time, each
   * would count the running tasks before the others start theirs. Each other worker may still exceed the
   * maximum by one.
   */
  let before: Promise<unknown> = Promise.resolve();

  function claimInLine(taskId: string, leaseMs: number, bounds: TaskBounds): Promise<ClaimedTask | null> {
    const claimed = before.then(async () =>
      (await isShareUsed(taskId, bounds)) === true ? null : claimRow(taskId, leaseMs),
    );
    before = claimed.catch(() => undefined);
    return claimed;
  }

  return {
    async listRunnable(rowsMax) {
      // Accounts with few tasks come first, whatever the number of their projects.
      const rows = await pool.rows<{ id: string }>(
        `WITH runnable AS (
           SELECT id, created_at, IF(${IS_SHARED}, COALESCE(account_id, project_id), id) AS account, IF(${IS_SHARED}, project_id, id) AS project FROM task WHERE cell_id = ? AND (${RUNNABLE})
         ), of_projects AS (
           SELECT id, created_at, account, ROW_NUMBER() OVER (PARTITION BY project ORDER BY created_at) AS place FROM runnable
         ), of_accounts AS (
           SELECT id, created_at, ROW_NUMBER() OVER (PARTITION BY account ORDER BY place, created_at) AS turn FROM of_projects
         )
         SELECT id FROM of_accounts ORDER BY turn, created_at LIMIT ?`,
        [cellId, rowsMax],
      );
      return rows.map((row) => row.id);
    },
    claim: async (taskId, { leaseMs, bounds }) => {
      const isUsed = await isShareUsed(taskId, bounds);
      if (isUsed === null) return claimRow(taskId, leaseMs);
      return isUsed ? null : claimInLine(taskId, leaseMs, bounds);
    },
    async beat(task, leaseMs) {
      const { affectedRows } = await pool.run(
        `UPDATE task SET lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
         WHERE id = ? AND state = 'running' AND lease_owner = ? AND fencing_token = ?`,
        [leaseMs * 1_000, task.id, owner, task.fencingToken],
      );
      return affectedRows > 0;
    },
    complete: (task, result, payload) => end(pool, task, { state: 'done', result, error: null }, payload),
    fail: (task, error, payload, note) =>
      pool.transaction(async (session) => {
        await end(session, task, { state: 'failed', result: null, error }, payload);
        await note(session);
      }),
    release: (task, delayMs) => requeue(task, task.attempt, delayMs),
    postpone: (task, delayMs) => requeue(task, task.attempt - 1, delayMs),
  };
}

function toClaimedTask(row: TaskRow): ClaimedTask {
  return {
    id: row.id,
    kind: row.kind as TaskKind,
    databaseId: row.database_id,
    projectId: row.project_id,
    payload: readJson(row.payload),
    attempt: row.attempt,
    fencingToken: Number(row.fencing_token),
  };
}
