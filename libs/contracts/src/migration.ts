/** The life of a migration row. `published`, `reverted`, `failed`, `cancelled` and `needs_attention` are ends. */
export const MIGRATION_STATES = [
  'draft', 'queued', 'running', 'waiting_for_lock', 'publishing', 'cutting_over', 'verifying',
  'published', 'reverting', 'reverted', 'failed', 'cancelled', 'needs_attention',
] as const;
export type MigrationState = (typeof MIGRATION_STATES)[number];

export const MIGRATION_END_STATES: readonly MigrationState[] = ['published', 'reverted', 'failed', 'cancelled', 'needs_attention'];

/** By which order of DDL and publishing a step must run. */
export type StepClass = 'widen' | 'add_required' | 'drop' | 'tighten' | 'rename' | 'retype';

/** How the server makes the change. `rebuild` and `locked_copy` are refused with `schema.needs_rebuild` where they are not served. */
export type StepStrategy = 'create' | 'drop' | 'instant' | 'nocopy' | 'inplace' | 'copy_small' | 'rebuild' | 'locked_copy' | 'checks_off';

export type StepKind =
  | 'create_table' | 'drop_table' | 'rename_table' | 'alter_table'
  | 'create_view' | 'drop_view' | 'create_trigger' | 'drop_trigger' | 'create_routine' | 'drop_routine';

export interface MigrationStep {
  readonly kind: StepKind;
  readonly table: string;
  /** One statement without ALGORITHM and LOCK clauses; the worker adds the rung of the ladder. */
  readonly sql: string;
  readonly class: StepClass;
  readonly strategy: StepStrategy;
  readonly reversible: boolean;
  /** What rows or columns would be gone, in words; empty when nothing is lost. */
  readonly loss: readonly string[];
  /** In words: `none`, `writes blocked for 1.2 M rows`. */
  readonly lock: string;
  readonly rowsToRewrite: number;
  /** What the worker sends ahead of publishing the new snapshot; null: nothing. */
  readonly beforePublish: string | null;
  /** What it sends once every live gateway has left the old snapshot behind; null: nothing. */
  readonly afterPublish: string | null;
  /** Each must find no row, else `schema.rows_in_the_way` with `problem`. */
  readonly rowChecks: readonly { readonly problem: string; readonly sql: string }[];
}

export interface ApiImpact {
  /** `GET /posts`, `posts.subtitle` */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Frozen when a deploy is accepted; `hash` covers base and steps. */
export interface MigrationPlan {
  readonly database: string;
  readonly environment: string;
  readonly baseSnapshot: number;
  readonly steps: readonly MigrationStep[];
  readonly loss: readonly string[];
  readonly impact: ApiImpact;
  /** Set when some step cannot be made without a long copy; the deploy answers 409 with it. */
  readonly needsRebuild: readonly { readonly table: string; readonly sql: string; readonly rows: number }[];
  readonly hash: string;
  /** SHA-256 over the structure that the plan leads to; `migration.target_hash`. */
  readonly targetHash: string;
}
