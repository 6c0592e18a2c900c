import type { StepStrategy } from '@rowhouse/contracts';

/**
 * The strategies that the worker can run. A plan with another strategy is shown, but rejected at deploy
 * (`needsRebuild`). On a server that does not support soft-deletes, a drop is permanent.
 */
export const SERVED_STRATEGIES: ReadonlySet<StepStrategy> = new Set<StepStrategy>([
  'create',
  'drop',
  'instant',
  'nocopy',
  'inplace',
  'copy_small',
  'rename',
  'add_foreign_key',
  'add_check',
  'replace',
  'rebuild',
  'rebuild_family',
  'locked_copy',
  'keep_table',
  'keep_columns',
  'restore_table',
  'restore_columns',
  'exclusive',
]);
