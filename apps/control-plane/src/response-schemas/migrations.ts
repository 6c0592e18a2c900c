import {
  MIGRATION_STATES,
  type DriftResponse,
  type SoftDeletedResponse,
  type MigrationStepResponse,
} from '@rowhouse/contracts';
import { z } from 'zod';
import { id, time, type Shape } from './shared.js';

export const apiImpact = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
  usedBy: z.array(
    z.object({
      what: z.string(),
      keys: z.array(z.object({ id, name: z.string(), lastUsedAt: time, requests: z.number().int() })),
    }),
  ),
});

const renameHint = z.union([
  z.object({ kind: z.literal('table'), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('column'), table: z.string(), from: z.string(), to: z.string() }),
]);

export const failure = z.object({
  code: z.string(),
  detail: z.string(),
  hint: z.string().optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
});

const migrationStep = z.object({
  kind: z.string(),
  table: z.string(),
  sql: z.string(),
  class: z.string(),
  strategy: z.string(),
  reversible: z.boolean(),
  loss: z.array(z.string()),
  lock: z.string(),
  rowsToRewrite: z.number().int(),
  beforePublish: z.string().nullable(),
  afterPublish: z.string().nullable(),
  rowChecks: z.array(
    z.object({
      table: z.string().optional(),
      problem: z.string(),
      sql: z.string(),
      shows: z.array(z.string()),
    }),
  ),
  side: z.enum(['beforePublish', 'afterPublish']),
  details: z.record(z.string(), z.unknown()).nullable(),
});

export const migrationPlan = z.object({
  database: id,
  environment: z.string(),
  baseSnapshot: z.number().int(),
  steps: z.array(migrationStep),
  loss: z.array(z.string()),
  impact: apiImpact,
  needsRebuild: z.array(z.object({ table: z.string(), sql: z.string(), rows: z.number().int() })),
  hints: z.array(renameHint),
  possibleRenames: z.array(renameHint),
  notes: z.array(z.string()),
  drift: z.array(z.string()),
  targetNumber: z.number().int().nullable(),
  hash: z.string(),
  targetHash: z.string(),
});

export const migrationResponse = z.object({
  id,
  database: id,
  environment: z.string(),
  state: z.enum(MIGRATION_STATES),
  revision: z.number().int(),
  progress: z.number(),
  base_snapshot: z.number().int(),
  published_snapshot: z.number().int().nullable(),
  plan: migrationPlan,
  origin: z.enum(['deploy', 'revert', 'direct', 'restore']),
  reverts: id.nullable(),
  by: z.object({ kind: z.enum(['account', 'connection']), id, name: z.string() }).nullable(),
  rows_done: z.number().int().nullable(),
  rows_total: z.number().int().nullable(),
  eta_seconds: z.number().int().nullable(),
  duration_ms: z.number().int().nullable(),
  error: failure.nullable(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
});

export const migrationStepResponse = z.object({
  ordinal: z.number().int(),
  kind: z.string(),
  table: z.string(),
  statement: z.string(),
  strategy: z.string(),
  state: z.string(),
  started_at: time.nullable(),
  finished_at: time.nullable(),
  duration_ms: z.number().int().nullable(),
}) satisfies Shape<MigrationStepResponse>;

export const softDeletedResponse = z.object({
  id,
  migration: id,
  kind: z.enum(['table', 'column']),
  table: z.string(),
  column: z.string().nullable(),
  kept_at: time,
  expires_at: time,
}) satisfies Shape<SoftDeletedResponse>;

export const driftResponse = z.object({
  revision: z.number().int(),
  databases: z.array(
    z.object({
      database: id,
      environment: z.string(),
      snapshot: z.number().int(),
      revision: z.number().int(),
      direct: z.array(z.string()),
      differs: z.array(z.object({ object: z.string(), how: z.enum(['only_here', 'missing_here', 'other']) })),
    }),
  ),
}) satisfies Shape<DriftResponse>;

export const deployResponse = z.object({
  revision: z.number().int(),
  migrations: z.array(migrationResponse),
  notes: z.array(z.string()),
});

export const diffResponse = z.object({ revision: z.number().int(), plans: z.array(migrationPlan) });

export const queueResponse = z.object({
  items: z.array(migrationResponse),
  next_cursor: z.null(),
  is_locked: z.boolean(),
});
