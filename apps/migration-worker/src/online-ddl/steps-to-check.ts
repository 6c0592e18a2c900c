import type { MigrationStep } from '@rowhouse/contracts';
import { listExclusive } from '@rowhouse/ddl-plan';

/**
 * Steps whose checks of rows can be made before a run begins. After an exclusive step the names of its tables and columns
 * stand for other objects, so it carries the checks of later steps on them in a form that can be made ahead.
 */
export function listStepsAhead(steps: readonly MigrationStep[]): MigrationStep[] {
  const at = steps.findIndex((step) => step.strategy === 'exclusive');
  const exclusive = steps[at];
  if (exclusive?.strategy !== 'exclusive') return [...steps];
  const touched = new Set(listExclusive(exclusive.details));
  return steps.filter((step, index) => index <= at || !touched.has(step.table));
}

/** Steps whose checks of rows hold once all names have passed on. */
export function listStepsBehind(steps: readonly MigrationStep[]): MigrationStep[] {
  return steps.slice(steps.findIndex((step) => step.strategy === 'exclusive') + 1);
}
