import type { MigrationOrigin, MigrationPlan, MigrationState } from '../migration.js';

export interface MigrationResponse {
  id: string;
  database: string;
  environment: string;
  state: MigrationState;
  revision: number;
  progress: number;
  base_snapshot: number;
  published_snapshot: number | null;
  plan: MigrationPlan;
  /** `direct`: DDL from a direct connection. `revert`: the revert of the migration named in `reverts`. */
  origin: MigrationOrigin;
  reverts: string | null;
  /**
   * The account that requested the migration, or the connection that a direct change came from. Null when
   * unknown.
   */
  by: { kind: 'account' | 'connection'; id: string; name: string } | null;
  /** The progress of a table copy. Null without a copy. */
  rows_done: number | null;
  rows_total: number | null;
  eta_seconds: number | null;
  /** The duration from start to end. Null until the migration has ended. */
  duration_ms: number | null;
  /** `extra` names the tables and rows that blocked the change. */
  error: { code: string; detail: string; hint?: string; extra?: Readonly<Record<string, unknown>> } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** The unfinished migrations of a database in execution order. The first one is running or runs next. */
export interface QueueResponse {
  items: MigrationResponse[];
  next_cursor: null;
  /** The operator has disabled all schema changes. */ is_locked: boolean;
}

/** One step of a migration, in execution order. */
export interface MigrationStepResponse {
  ordinal: number;
  kind: string;
  table: string;
  statement: string;
  strategy: string;
  state: string;
  started_at: string | null;
  finished_at: string | null;
  duration_ms: number | null;
}

/** A dropped table or column that can still be restored by reverting its migration. */
export interface SoftDeletedResponse {
  id: string;
  migration: string;
  kind: 'table' | 'column';
  table: string;
  column: string | null;
  kept_at: string;
  expires_at: string;
}

/**
 * The result of a deploy. `notes` lists parts of the text that were not adopted, or why no migration is
 * needed.
 */
export interface DeployResponse {
  revision: number;
  migrations: MigrationResponse[];
  notes: string[];
}

export interface DiffResponse {
  revision: number;
  plans: MigrationPlan[];
}
