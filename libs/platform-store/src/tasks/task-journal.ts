import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TaskError, TaskKind } from '@rowhouse/contracts';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import { ACCOUNT_TASKS } from '../journal/move-journal.js';
import { readJson } from '../json-column.js';
import { LeaseLostError } from '../lease-lost.js';

export interface ClaimedTask {
  readonly id: string;
  readonly kind: TaskKind;
  readonly databaseId: string | null;
  readonly projectId: string | null;
  readonly payload: unknown;
  readonly attempt: number;
  readonly fencingToken: number;
}

/** How many tasks that may take their time are at work at once: each may wait for what its owner keeps locked, and must not keep others' from being run. */
export interface TaskBounds {
  readonly ofProjectMax: number;
  /** Of all projects that one account made. */
  readonly ofAccountMax: number;
  /** Of previews and plans, which make scratch databases, by one account and in all: deploys of others need the same server. */
  readonly plansOfAccountMax: number;
  readonly plansMax: number;
}

/**
 * The worker's half of the `task` table. Every claim, beat and end is a compare-and-set over owner and
 * fencing token, by the platform database's clock.
 */
export interface TaskJournal {
  /** Tasks that may be claimed now: queued and due, or running under an expired lease. One by one from each account, and of an account from each project, the oldest first. */
  listRunnable(rowsMax: number): Promise<string[]>;
  /** Null when another worker was faster, there is nothing to do, or the project or its account has as many at work as `bounds` say. */
  claim(taskId: string, options: { readonly leaseMs: number; readonly bounds: TaskBounds }): Promise<ClaimedTask | null>;
  /** False when the lease is lost. */
  beat(task: ClaimedTask, leaseMs: number): Promise<boolean>;
  /** `payload` replaces the stored one: secrets leave with the end of the task. */
  complete(task: ClaimedTask, result: unknown, payload: unknown): Promise<void>;
  /** With what `note` writes over the same session, both or neither. */
  fail(task: ClaimedTask, error: TaskError, payload: unknown, note: (session: AdminSession) => Promise<void>): Promise<void>;
  /** Back to the queue, for another attempt after `delayMs`. */
  release(task: ClaimedTask, delayMs: number): Promise<void>;
  /** The same when nothing was tried: the claim does not count as an attempt. */
  postpone(task: ClaimedTask, delayMs: number): Promise<void>;
}

type ShareRow = Readonly<Record<'of_project' | 'of_account' | 'is_plan' | 'plans' | 'plans_of_account', number | string>>;

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

/** What is quickly done, and must not wait: who is to be shut out, is shut out now. */
const QUICK = ACCOUNT_TASKS.map((kind) => `'${kind}'`).join(',');
/** What is tried on scratch databases. */
const PLANS = (['plan_schema', 'plan_revert'] satisfies TaskKind[]).map((kind) => `'${kind}'`).join(',');
/** Of what a project and its account have only so much at a time. */
const IS_SHARED = `(project_id IS NOT NULL AND kind NOT IN (${QUICK}))`;

/** Characters. */
const LARGE_LENGTH = 256 * 1024;

export function createTaskJournal(pool: AdminPool, options: { readonly cellId: string; readonly owner: string }): TaskJournal {
  const { cellId, owner } = options;

  async function end(session: AdminSession, task: ClaimedTask, ending: { readonly state: 'done' | 'failed'; readonly result: unknown; readonly error: TaskError | null }, payload: unknown): Promise<void> {
    const { state, result, error } = ending;
    // What made the result may have worked on it until now.
    await nextTurn();
    const text = result === null ? null : JSON.stringify(result);
    // It may be a schema of megabytes, which is made a statement next.
    if (text !== null && text.length > LARGE_LENGTH) await nextTurn();
    const given = JSON.stringify(payload);
    if (given.length > LARGE_LENGTH) await nextTurn();
    const { affectedRows } = await session.run(
      `UPDATE task SET state = ?, result = ?, error = ?, payload = ?, lease_expires_at = NULL, finished_at = UTC_TIMESTAMP(3)
       WHERE id = ? AND state = 'running' AND lease_owner = ? AND fencing_token = ?`,
      [state, text, error === null ? null : JSON.stringify(error), given, task.id, owner, task.fencingToken],
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

  /** Null: the task takes nobody's share. Else whether the shares of its project and account are used up, in all workers. */
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
    if (Number(found.of_project) >= bounds.ofProjectMax || Number(found.of_account) >= bounds.ofAccountMax) return true;
    return Number(found.is_plan) === 1 && (Number(found.plans) >= bounds.plansMax || Number(found.plans_of_account) >= bounds.plansOfAccountMax);
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
    return row === undefined || row.lease_owner !== owner || row.state !== 'running' ? null : toClaimedTask(row);
  }

  /** The claim before: those made together would all be counted before any of them is at work. Other workers' may still go beyond by one each. */
  let before: Promise<unknown> = Promise.resolve();

  function claimInLine(taskId: string, leaseMs: number, bounds: TaskBounds): Promise<ClaimedTask | null> {
    const claimed = before.then(async () => ((await isShareUsed(taskId, bounds)) === true ? null : claimRow(taskId, leaseMs)));
    before = claimed.catch(() => undefined);
    return claimed;
  }

  return {
    async listRunnable(rowsMax) {
      // Whoever asks for a lot waits behind those who ask for little, in however many projects.
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
