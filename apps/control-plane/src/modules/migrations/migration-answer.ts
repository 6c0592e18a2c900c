import type { MigrationAnswer, MigrationPlan, TaskError } from '@rowhouse/contracts';
import { toIso } from '../../http/to-iso.js';
import type { MigrationRow } from '../../platform-db/entities/migration-row.js';

/** A migration as callers see it. */
export function toMigrationAnswer(row: MigrationRow): MigrationAnswer {
  const plan = JSON.parse(row.plan) as MigrationPlan;
  return {
    id: row.id,
    database: row.databaseId,
    environment: plan.environment,
    state: row.state,
    revision: row.revision,
    progress: row.progress,
    base_snapshot: row.baseNumber,
    published_snapshot: row.publishedNumber,
    plan,
    error: toPublicError(row.error),
    created_at: row.createdAt.toISOString(),
    started_at: toIso(row.startedAt),
    finished_at: toIso(row.finishedAt),
  };
}

function toPublicError(error: TaskError | null): MigrationAnswer['error'] {
  if (error === null) return null;
  return { code: error.code, detail: error.detail, ...(error.hint === undefined ? {} : { hint: error.hint }) };
}
