import type { MigrationPlan, MigrationStep } from '@rowhouse/contracts';

/** Splits the losses of a plan into those that are immediate and those that a revert can undo for a day. */
export function describeLoss(plan: Pick<MigrationPlan, 'steps' | 'loss'>): {
  readonly immediate: readonly string[];
  readonly retained: readonly string[];
} {
  const persisted = plan.steps.filter(setsAside).flatMap((step) => step.loss);
  const immediate = plan.steps.filter((step) => !setsAside(step)).flatMap((step) => step.loss);
  return {
    immediate: [...new Set(immediate)],
    retained: [...new Set(persisted)].filter((loss) => !immediate.includes(loss)),
  };
}

/** Returns whether a revert can restore what this step drops for a day. */
export function setsAside({ strategy, loss }: Pick<MigrationStep, 'strategy' | 'loss'>): boolean {
  return (
    strategy === 'keep_table' || strategy === 'keep_columns' || (strategy === 'exclusive' && loss.length > 0)
  );
}
