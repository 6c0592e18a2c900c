import type { MigrationPlan, MigrationStep } from '@rowhouse/contracts';

/** Splits the losses of a plan into those that are immediate and those that a revert can undo for a day. */
export function describeLoss(plan: Pick<MigrationPlan, 'steps' | 'loss'>): { readonly atOnce: readonly string[]; readonly kept: readonly string[] } {
  const kept = plan.steps.filter(keepsAside).flatMap((step) => step.loss);
  const atOnce = plan.steps.filter((step) => !keepsAside(step)).flatMap((step) => step.loss);
  return { atOnce: [...new Set(atOnce)], kept: [...new Set(kept)].filter((loss) => !atOnce.includes(loss)) };
}

/** Returns whether a revert can restore what this step drops for a day. */
export function keepsAside({ strategy, loss }: Pick<MigrationStep, 'strategy' | 'loss'>): boolean {
  return strategy === 'keep_table' || strategy === 'keep_columns' || (strategy === 'exclusive' && loss.length > 0);
}
