import type { ApiImpact, MigrationStep, RenameHint } from '@rowhouse/ddl-plan';

/**
 * The life of a migration row. In `waiting_for_repair` its server refuses an account of the platform. `published`, `reverted`, `failed`, `cancelled` and `needs_attention` are
 * ends.
 */
export const MIGRATION_STATES = [
  'draft', 'queued', 'running', 'waiting_for_lock', 'waiting_for_repair', 'publishing', 'cutting_over', 'verifying',
  'published', 'reverting', 'reverted', 'failed', 'cancelled', 'needs_attention',
] as const;
export type MigrationState = (typeof MIGRATION_STATES)[number];

export const MIGRATION_END_STATES: readonly MigrationState[] = ['published', 'reverted', 'failed', 'cancelled', 'needs_attention'];

/** Why a migration was made: a deploy, the way back of one (`reverts_id`), DDL that came over a direct connection, or the making of the database out of a file. */
export type MigrationOrigin = 'deploy' | 'revert' | 'direct' | 'restore';

export type { ApiImpact, KeptDefinition, MigrationStep, ReplaceDetails, StepClass, StepKind, StepStrategy } from '@rowhouse/ddl-plan';

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
  /** The renames that the plan makes, in their order; the way back turns them round. */
  readonly hints: readonly RenameHint[];
  /** Drops beside an addition of the same definition: perhaps a rename was meant. Deploying makes them as they are written. */
  readonly possibleRenames: readonly RenameHint[];
  /** What people should know besides: what comes back otherwise than it was. */
  readonly notes: readonly string[];
  /** Tables, views and triggers changed over direct connections since the last deploy, which this plan changes or drops. */
  readonly drift: readonly string[];
  /** Set on the way back: the plan leads to this earlier snapshot of the database, not to a revision's draft. */
  readonly targetNumber: number | null;
  readonly hash: string;
  /** SHA-256 over the structure that the plan leads to; `migration.target_hash`. */
  readonly targetHash: string;
}
