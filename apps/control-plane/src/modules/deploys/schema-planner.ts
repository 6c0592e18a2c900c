import { Injectable } from '@nestjs/common';
import type { PlanSchemaResult } from '@rowhouse/contracts';
import type { Snapshot } from '@rowhouse/schema-model';
import { TaskRunner } from '../../platform/task-runner.js';

export interface PlanWish {
  readonly projectId: string;
  readonly base: Snapshot | null;
  readonly mode: 'replace' | 'apply';
  readonly sql: string;
  readonly targetIds: readonly string[];
  readonly deadlineMs?: number;
}

/** Has the worker apply text to a scratch database and plan the way there for each target. */
@Injectable()
export class SchemaPlanner {
  constructor(private readonly tasks: TaskRunner) {}

  async plan(wish: PlanWish): Promise<PlanSchemaResult> {
    const payload = { project_id: wish.projectId, base: wish.base, mode: wish.mode, sql: wish.sql, target_database_ids: [...wish.targetIds] };
    return this.tasks.run('plan_schema', payload, { projectId: wish.projectId }, wish.deadlineMs);
  }
}
