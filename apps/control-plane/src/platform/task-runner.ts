import { setImmediate as nextSlice } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { TaskError, TaskKind, TaskPayload, TaskResult } from '@rowhouse/contracts';
import { quoteInSlices } from '@rowhouse/mysql';
import { AppError, ERROR_CODES, type ErrorCode } from '@rowhouse/errors';
import type { JobNotificationProducer } from '@rowhouse/queue';
import { createId } from '@rowhouse/runtime';
import type { EntityManager } from 'typeorm';
import { Project } from '../platform-db/entities/project.js';
import { PlatformDb } from '../platform-db/platform-db.js';
import { TaskEnds, type TaskEnd } from './task-ends.js';
import { JOB_NOTIFICATION_PRODUCER } from './tokens.js';

export const TASK_DEADLINE_MS = 15_000;
/** The length in characters from which a result counts as large. */
const LARGE_RESULT_LENGTH = 256 * 1024;
/** The maximum number of unfinished tasks of a project, and of all projects of an account. */
const OF_PROJECT_MAX = 100;
const OF_ACCOUNT_MAX = 300;
/**
 * The kinds of tasks that callers can request without another limit. Databases, accounts and their removal
 * have limits of their own.
 */
const BOUNDED_KINDS: readonly TaskKind[] = [
  'plan_schema',
  'plan_revert',
  'export_database',
  'read_import',
  'load_rows',
  'seed_rows',
  'create_connection',
  'rotate_connection',
  'test_connection',
];
/**
 * The maximum number of unfinished grants of a project. Hiding a column creates one for each account of a
 * database.
 */
const GRANTS_MAX = 400;

export interface TaskSubject {
  readonly databaseId?: string;
  readonly projectId?: string;
  /** The account whose share of the workers the task uses. Defaults to the creator of the project. */
  readonly accountId?: string;
}

/** Passes work to the worker: inserts a task row, notifies the worker, and waits for the row to change. */
@Injectable()
export class TaskRunner {
  readonly #ends = new TaskEnds((ids) => this.#readEnds(ids));

  constructor(
    private readonly db: PlatformDb,
    @Inject(JOB_NOTIFICATION_PRODUCER) private readonly notificationProducer: JobNotificationProducer,
  ) {}

  /**
   * Throws `limit.concurrency` when the project has too many unfinished grants. Call it before a change that
   * needs grants.
   */
  async assertCapacityForGrants(projectId: string): Promise<void> {
    const [found] = await this.db.cell.query<{ n: number | string }[]>(
      "SELECT COUNT(*) AS n FROM task WHERE cell_id = ? AND project_id = ? AND state IN ('queued', 'running') AND kind = 'grant_rights'",
      [this.db.cellId, projectId],
    );
    if (Number(found?.n ?? 0) < GRANTS_MAX) return;
    throw new AppError('limit.concurrency', {
      retryAfterSeconds: 5,
      detail: `${GRANTS_MAX} changes to the rights of API keys of this project are already queued or running.`,
      hint: 'Wait until some of them have ended.',
    });
  }

  /**
   * Inserts only the row of a task. The caller calls `notify` after its transaction. Returns the task's id.
   * Throws `limit.concurrency` when a project or account has too many tasks.
   */
  async insert<K extends TaskKind>(
    manager: EntityManager,
    kind: K,
    payload: TaskPayload<K>,
    subject: TaskSubject,
  ): Promise<string> {
    const { databaseId = null, projectId = null } = subject;
    const accountId = subject.accountId ?? (await this.#findCreator(projectId));
    if (projectId !== null && BOUNDED_KINDS.includes(kind))
      await this.#assertCapacity(manager, projectId, accountId);
    const id = createId('tsk');
    const text = await quoteInSlices(JSON.stringify(payload));
    await manager.query(
      `INSERT INTO task (id, cell_id, kind, database_id, project_id, account_id, state, payload, created_at, run_after)
       VALUES (?, ?, ?, ?, ?, ?, 'queued', ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`,
      [id, this.db.cellId, kind, databaseId, projectId, accountId, text],
    );
    return id;
  }

  /** Returns the creator of the project; null without a project. */
  async #findCreator(projectId: string | null): Promise<string | null> {
    if (projectId === null) return null;
    const project = await this.db.global
      .getRepository(Project)
      .findOne({ select: { id: true, createdBy: true }, where: { id: projectId } });
    return project?.createdBy ?? null;
  }

  async #assertCapacity(manager: EntityManager, projectId: string, accountId: string | null): Promise<void> {
    const [found] = await manager.query<Record<'of_project' | 'of_account', number | string | null>[]>(
      `SELECT SUM(project_id = ?) AS of_project, SUM(account_id = ?) AS of_account FROM task WHERE cell_id = ? AND state IN ('queued', 'running') AND kind IN (${BOUNDED_KINDS.map(() => '?').join(', ')})`,
      [projectId, accountId, this.db.cellId, ...BOUNDED_KINDS],
    );
    if (Number(found?.of_project ?? 0) >= OF_PROJECT_MAX) throw tooMany(OF_PROJECT_MAX, 'this project');
    if (Number(found?.of_account ?? 0) >= OF_ACCOUNT_MAX)
      throw tooMany(OF_ACCOUNT_MAX, 'all projects of the account that created this one');
  }

  /**
   * Cancels a task that no worker has begun, and deletes its secrets. Returns false if a worker may have begun
   * it.
   */
  async cancel(manager: EntityManager, taskId: string): Promise<boolean> {
    const error: TaskError = { code: 'db.timeout', detail: 'The task was cancelled before it began.' };
    const { affectedRows } = await manager.query<{ affectedRows: number }>(
      `UPDATE task SET state = 'failed', error = ?, payload = JSON_REMOVE(payload, '$.password_sealed'), finished_at = UTC_TIMESTAMP(3)
       WHERE id = ? AND cell_id = ? AND state = 'queued' AND attempt = 0`,
      [JSON.stringify(error), taskId, this.db.cellId],
    );
    return affectedRows > 0;
  }

  async notify(taskId: string): Promise<void> {
    await this.notificationProducer.notify({ kind: 'task', id: taskId, attempt: 0 });
  }

  /** Inserts a task and notifies the worker, without waiting for the result. */
  async enqueue<K extends TaskKind>(kind: K, payload: TaskPayload<K>, subject: TaskSubject): Promise<string> {
    const id = await this.insert(this.db.cell.manager, kind, payload, subject);
    await this.notify(id);
    return id;
  }

  /**
   * Inserts a task, notifies the worker and waits. Throws the task's error, or `db.timeout` after the
   * deadline.
   */
  async run<K extends TaskKind>(
    kind: K,
    payload: TaskPayload<K>,
    subject: TaskSubject,
    deadlineMs = TASK_DEADLINE_MS,
  ): Promise<TaskResult<K>> {
    return this.wait<K>(await this.enqueue(kind, payload, subject), deadlineMs);
  }

  /** Waits for a task that was enqueued earlier. */
  async wait<K extends TaskKind>(taskId: string, deadlineMs = TASK_DEADLINE_MS): Promise<TaskResult<K>> {
    const end = await this.#ends.wait(taskId, deadlineMs);
    if (end === null)
      throw new AppError('db.timeout', {
        detail: 'The worker did not finish in time and continues.',
        retryAfterSeconds: 2,
        internal: `task ${taskId}`,
      });
    if (end.state === 'failed') throw toTaskFailure(end.error);
    if (end.result === null || end.result.length < LARGE_RESULT_LENGTH)
      return JSON.parse(end.result ?? '{}') as TaskResult<K>;
    // A schema of megabytes was just parsed and is processed next. Other requests may run in between.
    await nextSlice();
    const result = JSON.parse(end.result) as TaskResult<K>;
    await nextSlice();
    return result;
  }

  #readEnds(ids: readonly string[]): Promise<TaskEnd[]> {
    return this.db.cell.query<TaskEnd[]>(
      `SELECT id, state, result, error FROM task WHERE id IN (${ids.map(() => '?').join(', ')}) AND state IN ('done', 'failed')`,
      [...ids],
    );
  }
}

function tooMany(count: number, whose: string): AppError {
  return new AppError('limit.concurrency', {
    retryAfterSeconds: 5,
    detail: `${count} plans, copies, loads and connections of ${whose} are queued or running.`,
    hint: 'Wait until some of them have ended.',
  });
}

/** Returns the task's error. The worker uses codes of the error table, and any other code is a defect. */
function toTaskFailure(stored: string | TaskError | null): AppError {
  const error = typeof stored === 'string' ? (JSON.parse(stored) as TaskError) : stored;
  if (error === null || !(error.code in ERROR_CODES))
    return new AppError('internal.defect', { internal: `task failed: ${JSON.stringify(error)}` });
  return new AppError(error.code as ErrorCode, {
    detail: error.detail,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.extra === undefined ? {} : { extra: error.extra }),
  });
}
