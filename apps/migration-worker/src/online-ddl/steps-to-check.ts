import type { MigrationStep } from '@rowhouse/contracts';
import { listExclusive } from '@rowhouse/ddl-plan';

/**
 * Returns the steps whose row checks can run before the run begins. An exclusive step changes the meaning of
 * names. It therefore carries the checks of later steps on its tables, in a form that can run beforehand.
 */
export function listStepsBefore(steps: readonly MigrationStep[]): MigrationStep[] {
  const position = steps.findIndex((step) => step.strategy === 'exclusive');
  const exclusive = steps[position];
  if (exclusive?.strategy !== 'exclusive') return [...steps];
  const touched = new Set(listExclusive(exclusive.details));
  return steps.filter((step, index) => index <= position || !touched.has(step.table));
}

/** Returns the steps whose row checks are valid after all names have changed. */
export function listStepsAfter(steps: readonly MigrationStep[]): MigrationStep[] {
  return steps.slice(steps.findIndex((step) => step.strategy === 'exclusive') + 1);
}
