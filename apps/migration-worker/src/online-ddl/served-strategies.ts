import type { StepStrategy } from '@rowhouse/contracts';

/**
 * What the runner can do. A plan that needs anything else is shown, and refused at deploy (`needsRebuild`); a drop whose
 * keeping is not served here is a drop.
 */
export const SERVED_STRATEGIES: ReadonlySet<StepStrategy> = new Set<StepStrategy>([
  'create', 'drop', 'instant', 'nocopy', 'inplace', 'copy_small', 'rename', 'add_foreign_key', 'add_check', 'replace', 'rebuild', 'rebuild_family', 'locked_copy',
  'keep_table', 'keep_columns', 'restore_table', 'restore_columns', 'exclusive',
]);
