import { Injectable } from '@nestjs/common';
import type { PlanSchemaResult } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { Snapshot } from '@rowhouse/schema-model';
import { TaskRunner } from '../../platform/task-runner.js';

export interface PlanWish {
  readonly projectId: string;
  readonly base: Snapshot | null;
  readonly mode: 'replace' | 'apply';
  readonly sql: string;
  /** Of `base`, when it may not be the newest. */
  readonly revision?: number;
  readonly targetIds: readonly string[];
  readonly deadlineMs?: number;
}

/** Has the worker apply text to a scratch database and plan the way there for each target. */
@Injectable()
export class SchemaPlanner {
  constructor(private readonly tasks: TaskRunner) {}

  async plan(wish: PlanWish): Promise<PlanSchemaResult> {
    const payload = { project_id: wish.projectId, base: wish.base, mode: wish.mode, sql: wish.sql, target_database_ids: [...wish.targetIds], ...(wish.revision === undefined || wish.sql.trim() !== '' ? {} : { revision: wish.revision }) };
    try {
      return await this.tasks.run('plan_schema', payload, { projectId: wish.projectId }, wish.deadlineMs);
    } catch (error) {
      throw error instanceof AppError ? atSql(error) : error;
    }
  }
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
