import type { TaskError, TaskKind } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
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

/**
 * The worker's half of the `task` table. Every claim, beat and end is a compare-and-set over owner and
 * fencing token, by the platform database's clock.
 */
export interface TaskJournal {
  /** Tasks that may be claimed now: queued and due, or running under an expired lease. */
  listRunnable(rowsMax: number): Promise<string[]>;
  /** Null when another worker was faster or there is nothing to do. */
  claim(taskId: string, leaseMs: number): Promise<ClaimedTask | null>;
  /** False when the lease is lost. */
  beat(task: ClaimedTask, leaseMs: number): Promise<boolean>;
  /** `payload` replaces the stored one: secrets leave with the end of the task. */
  complete(task: ClaimedTask, result: unknown, payload: unknown): Promise<void>;
  fail(task: ClaimedTask, error: TaskError, payload: unknown): Promise<void>;
  /** Back to the queue, for another attempt after `delayMs`. */
  release(task: ClaimedTask, delayMs: number): Promise<void>;
  /** The same when nothing was tried: the claim does not count as an attempt. */
  postpone(task: ClaimedTask, delayMs: number): Promise<void>;
}

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

export function createTaskJournal(pool: AdminPool, options: { readonly cellId: string; readonly owner: string }): TaskJournal {
  const { cellId, owner } = options;

  async function end(task: ClaimedTask, state: 'done' | 'failed', result: unknown, error: TaskError | null, payload: unknown): Promise<void> {
    const { affectedRows } = await pool.run(
      `UPDATE task SET state = ?, result = ?, error = ?, payload = ?, lease_expires_at = NULL, finished_at = UTC_TIMESTAMP(3)
       WHERE id = ? AND state = 'running' AND lease_owner = ? AND fencing_token = ?`,
      [state, result === null ? null : JSON.stringify(result), error === null ? null : JSON.stringify(error), JSON.stringify(payload), task.id, owner, task.fencingToken],
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

  return {
    async listRunnable(rowsMax) {
      const rows = await pool.rows<{ id: string }>(`SELECT id FROM task WHERE cell_id = ? AND (${RUNNABLE}) ORDER BY created_at LIMIT ?`, [cellId, rowsMax]);
      return rows.map((row) => row.id);
    },
    async claim(taskId, leaseMs) {
      const { affectedRows } = await pool.run(
        `UPDATE task SET state = 'running', lease_owner = ?, lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND,
           fencing_token = fencing_token + 1, attempt = attempt + 1
         WHERE id = ? AND cell_id = ? AND (${RUNNABLE})`,
        [owner, leaseMs * 1_000, taskId, cellId],
      );
      if (affectedRows === 0) return null;
      const [row] = await pool.rows<TaskRow>('SELECT * FROM task WHERE id = ?', [taskId]);
      return row === undefined || row.lease_owner !== owner || row.state !== 'running' ? null : toClaimedTask(row);
    },
    async beat(task, leaseMs) {
      const { affectedRows } = await pool.run(
        `UPDATE task SET lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND
         WHERE id = ? AND state = 'running' AND lease_owner = ? AND fencing_token = ?`,
        [leaseMs * 1_000, task.id, owner, task.fencingToken],
      );
      return affectedRows > 0;
    },
    complete: (task, result, payload) => end(task, 'done', result, null, payload),
    fail: (task, error, payload) => end(task, 'failed', null, error, payload),
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
