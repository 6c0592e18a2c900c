import type { MigrationPlan } from '@rowhouse/contracts';

/** The losses of a plan: those that happen as it runs, and those that a revert can still take back for a day. */
export function describeLoss(plan: Pick<MigrationPlan, 'steps' | 'loss'>): { readonly atOnce: readonly string[]; readonly kept: readonly string[] } {
  const kept = plan.steps.filter((step) => step.strategy === 'keep_table' || step.strategy === 'keep_columns').flatMap((step) => step.loss);
  const atOnce = plan.steps.filter((step) => step.strategy !== 'keep_table' && step.strategy !== 'keep_columns').flatMap((step) => step.loss);
  return { atOnce: [...new Set(atOnce)], kept: [...new Set(kept)].filter((loss) => !atOnce.includes(loss)) };
}
