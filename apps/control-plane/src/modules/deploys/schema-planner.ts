import { Injectable } from '@nestjs/common';
import type { PlanSchemaResult } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { EngineKind, Snapshot } from '@rowhouse/schema-model';
import { TaskRunner } from '../../platform/task-runner.js';

export interface PlanInput {
  readonly projectId: string;
  /** The account of the request, if the project does not exist yet. */
  readonly accountId?: string;
  readonly base: Snapshot | null;
  readonly mode: 'replace' | 'apply';
  readonly sql: string;
  /** The revision of `base`, if it may not be the newest. */
  readonly revision?: number;
  readonly targetIds: readonly string[];
  /** The engine to draft for, if neither `base` nor a database of the project determines one. */
  readonly engine?: EngineKind;
  readonly deadlineMs?: number;
}

/**
 * The maximum time for a plan in milliseconds. A text with hundreds of tables is applied and read back on a
 * server that other databases also use.
 */
const PLAN_DEADLINE_MS = 45_000;

/** Lets the worker apply a text to a scratch database and create a plan for each target. */
@Injectable()
export class SchemaPlanner {
  constructor(private readonly tasks: TaskRunner) {}

  async plan(input: PlanInput): Promise<PlanSchemaResult> {
    const payload = {
      project_id: input.projectId,
      base: input.base,
      mode: input.mode,
      sql: input.sql,
      target_database_ids: [...input.targetIds],
      ...(input.revision === undefined || input.sql.trim() !== '' ? {} : { revision: input.revision }),
      ...(input.engine === undefined ? {} : { engine: input.engine }),
    };
    try {
      return await this.tasks.run(
        'plan_schema',
        payload,
        {
          projectId: input.projectId,
          ...(input.accountId === undefined ? {} : { accountId: input.accountId }),
        },
        input.deadlineMs ?? PLAN_DEADLINE_MS,
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw error.code === 'db.timeout' ? tooSlow(error) : atSql(error);
    }
  }
}

/**
 * Returns an error without a hint to retry. By then, no caller waits for this plan, and a second attempt
 * would take as long.
 */
function tooSlow(cause: AppError): AppError {
  return new AppError('db.timeout', {
    detail: 'Planning the schema text took too long. Nothing was changed.',
    hint: 'Send a few hundred tables at a time with mode apply, or try again later.',
    cause,
  });
}

/** Reports an error of the text at its location in the body. */
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
