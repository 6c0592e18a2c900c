import type { MigrationPlan } from '@rowhouse/contracts';

/** The members of a plan that loses nothing and affects no API client. */
export const PLAN_WITHOUT_EFFECTS = {
  loss: [],
  impact: { added: [], removed: [], changed: [], usedBy: [] },
  needsRebuild: [],
  hints: [],
  possibleRenames: [],
  notes: [],
  drift: [],
  targetNumber: null,
} satisfies Partial<MigrationPlan>;
