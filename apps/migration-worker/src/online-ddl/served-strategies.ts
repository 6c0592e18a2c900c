import type { StepStrategy } from '@rowhouse/contracts';

/**
 * The strategies that the runner supports. A plan that needs another one is shown, but rejected at deploy
 * (`needsRebuild`). If retaining is not supported, a drop is permanent.
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
