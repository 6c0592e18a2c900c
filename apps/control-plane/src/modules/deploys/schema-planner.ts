import { Injectable } from '@nestjs/common';
import type { PlanSchemaResult } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { Snapshot } from '@rowhouse/schema-model';
import { TaskRunner } from '../../platform/task-runner.js';

export interface PlanWish {
  readonly projectId: string;
  /** Who asks, where the project is not there yet. */
  readonly accountId?: string;
  readonly base: Snapshot | null;
  readonly mode: 'replace' | 'apply';
  readonly sql: string;
  /** Of `base`, when it may not be the newest. */
  readonly revision?: number;
  readonly targetIds: readonly string[];
  readonly deadlineMs?: number;
}

/** A text of some hundred tables is made and read back on a server that has other things to do as well. */
const PLAN_DEADLINE_MS = 45_000;

/** Has the worker apply text to a scratch database and plan the way there for each target. */
@Injectable()
export class SchemaPlanner {
  constructor(private readonly tasks: TaskRunner) {}

  async plan(wish: PlanWish): Promise<PlanSchemaResult> {
    const payload = { project_id: wish.projectId, base: wish.base, mode: wish.mode, sql: wish.sql, target_database_ids: [...wish.targetIds], ...(wish.revision === undefined || wish.sql.trim() !== '' ? {} : { revision: wish.revision }) };
    try {
      return await this.tasks.run('plan_schema', payload, { projectId: wish.projectId, ...(wish.accountId === undefined ? {} : { accountId: wish.accountId }) }, wish.deadlineMs ?? PLAN_DEADLINE_MS);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw error.code === 'db.timeout' ? tooSlow(error) : atSql(error);
    }
  }
}

/** Nobody waits for this plan any more, and the same text once more would take as long. */
function tooSlow(cause: AppError): AppError {
  return new AppError('db.timeout', { detail: 'The schema text could not be planned in time; nothing was changed.', hint: 'Send it in parts (mode apply, some hundred tables at a time), or again when the server has less to do.', cause });
}

/** What is wrong with the text is told at its place in the body. */
function atSql(error: AppError): AppError {
  if (error.status !== 422 || error.faults !== undefined) return error;
  return new AppError(error.code, {
    detail: error.detail,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    extra: error.extra,
    faults: [{ loc: ['body', 'sql'], msg: error.detail, type: error.code }],
    cause: error,
  });
}
