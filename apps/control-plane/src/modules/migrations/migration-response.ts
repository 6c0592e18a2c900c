import type { MigrationResponse, MigrationPlan, TaskError } from '@rowhouse/contracts';
import { toIso } from '../../http/timestamps.js';
import type { MigrationRow } from '../../platform-db/entities/migration-row.js';

/** The names of accounts and connections by id. */
export type ActorNames = ReadonlyMap<string, string>;

/** Converts a migration row to its response. */
export function toMigrationResponse(row: MigrationRow, names: ActorNames = new Map()): MigrationResponse {
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
    origin: row.origin,
    reverts: row.revertsId,
    by: toActor(row, names),
    rows_done: row.rowsDone,
    rows_total: row.rowsTotal,
    eta_seconds: row.etaSeconds,
    duration_ms:
      row.startedAt === null || row.finishedAt === null
        ? null
        : row.finishedAt.getTime() - row.startedAt.getTime(),
    error: toPublicError(row.error),
    created_at: row.createdAt.toISOString(),
    started_at: toIso(row.startedAt),
    finished_at: toIso(row.finishedAt),
  };
}

function toActor({ createdBy: id, origin }: MigrationRow, names: ActorNames): MigrationResponse['by'] {
  if (id === '') return null;
  return { kind: origin === 'direct' ? 'connection' : 'account', id, name: names.get(id) ?? '' };
}

function toPublicError(error: TaskError | null): MigrationResponse['error'] {
  if (error === null) return null;
  return {
    code: error.code,
    detail: error.detail,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.extra === undefined ? {} : { extra: error.extra }),
  };
}
