import type { ApiImpact, MigrationStep, RenameHint } from '@rowhouse/ddl-plan';

/**
 * The states of a database's move to another server. The move can be cancelled until `switching`. The switch
 * itself is one transaction and cannot be undone.
 */
export const MOVE_STATES = [
  'queued',
  'copying',
  'comparing',
  'switching',
  'settling',
  'undoing',
  'done',
  'failed',
  'cancelled',
] as const;

export type MoveState = (typeof MOVE_STATES)[number];

export const MOVE_END_STATES: readonly MoveState[] = ['done', 'failed', 'cancelled'];

/**
 * The states of a migration. In the state `waiting_for_repair`, the database server has rejected an account
 * of the platform. `published`, `reverted`, `failed`, `cancelled` and `needs_attention` are final.
 */
export const MIGRATION_STATES = [
  'draft',
  'queued',
  'running',
  'waiting_for_lock',
  'waiting_for_repair',
  'publishing',
  'cutting_over',
  'verifying',
  'published',
  'reverting',
  'reverted',
  'failed',
  'cancelled',
  'needs_attention',
] as const;
export type MigrationState = (typeof MIGRATION_STATES)[number];

export const MIGRATION_END_STATES: readonly MigrationState[] = [
  'published',
  'reverted',
  'failed',
  'cancelled',
  'needs_attention',
];

/**
 * Why a migration exists: a deploy, the revert of a migration (`reverts_id`), DDL on a direct connection, or
 * the creation of a database from a file.
 */
export type MigrationOrigin = 'deploy' | 'revert' | 'direct' | 'restore';

export type {
  ApiImpact,
  SoftDeletedDefinition,
  MigrationStep,
  ReplaceDetails,
  StepClass,
  StepKind,
  StepStrategy,
} from '@rowhouse/ddl-plan';

/**
 * The plan of a migration. It does not change after the deploy is accepted. `hash` identifies the base and
 * the steps.
 */
export interface MigrationPlan {
  readonly database: string;
  readonly environment: string;
  readonly baseSnapshot: number;
  readonly steps: readonly MigrationStep[];
  readonly loss: readonly string[];
  readonly impact: ApiImpact;
  /**
   * The tables that must be copied, which can take long. The deploy is rejected with 409 and this list until
   * the user confirms it.
   */
  readonly needsRebuild: readonly { readonly table: string; readonly sql: string; readonly rows: number }[];
  /** The renames of the plan, in the order in which they run. A revert applies them in reverse. */
  readonly hints: readonly RenameHint[];
  /**
   * Pairs of a drop and an addition with the same definition, each of which may be meant as a rename. The
   * deploy drops and adds them as written.
   */
  readonly possibleRenames: readonly RenameHint[];
  /** Other notes for users, for example about objects that are restored in another form. */
  readonly notes: readonly string[];
  /**
   * The tables, views and triggers that were changed over direct connections since the last deploy, and that
   * this plan changes or drops.
   */
  readonly drift: readonly string[];
  /** The earlier snapshot that a revert restores. Null for a deploy of a revision. */
  readonly targetNumber: number | null;
  readonly hash: string;
  /** The SHA-256 hash of the resulting structure (`migration.target_hash`). */
  readonly targetHash: string;
}
