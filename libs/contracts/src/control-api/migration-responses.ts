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
  /**
   * Why the migration exists. `direct` means DDL on a direct connection. `revert` means that it reverts the
   * migration in `reverts`.
   */
  origin: MigrationOrigin;
  reverts: string | null;
  /**
   * The account that requested the migration, or the connection on which a direct change was made. Null if
   * unknown.
   */
  by: { kind: 'account' | 'connection'; id: string; name: string } | null;
  /** The number of rows that a table copy has copied. Null if no table is copied. */
  rows_done: number | null;
  rows_total: number | null;
  eta_seconds: number | null;
  /** The time from start to end in milliseconds. Null until the migration has ended. */
  duration_ms: number | null;
  /** The error of a failed migration. `extra` contains the tables and rows that prevented the change. */
  error: { code: string; detail: string; hint?: string; extra?: Readonly<Record<string, unknown>> } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/**
 * The unfinished migrations of a database, in the order in which they run. The first one is running or runs
 * next.
 */
export interface QueueResponse {
  items: MigrationResponse[];
  next_cursor: null;
  /** The operator has disabled all schema changes. */ is_locked: boolean;
}

/** One step of a migration. Steps run in the order of `ordinal`. */
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

/** A dropped table or column that can be restored if its migration is reverted. */
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
 * The result of a deploy. `notes` contains text that was not applied, or the reason why no migration is
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
