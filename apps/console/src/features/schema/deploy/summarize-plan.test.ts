import type { MigrationPlan, MigrationStep } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { summarizePlan } from './summarize-plan.js';

const step = (kind: MigrationStep['kind'], table: string): MigrationStep => ({
  kind,
  table,
  sql: '',
  class: 'widen',
  strategy: 'instant',
  details: null,
  side: 'beforePublish',
  reversible: true,
  loss: [],
  lock: 'none',
  rowsToRewrite: 0,
  beforePublish: null,
  afterPublish: null,
  rowChecks: [],
});
const plan = (...steps: MigrationStep[]): MigrationPlan => ({
  database: 'db_1',
  environment: 'development',
  baseSnapshot: 1,
  steps,
  loss: [],
  impact: { added: [], removed: [], changed: [], usedBy: [] },
  needsRebuild: [],
  hints: [],
  possibleRenames: [],
  notes: [],
  drift: [],
  targetNumber: null,
  hash: '',
  targetHash: '',
});

it('summarizePlan describes a plan in a few words', () => {
  expect(summarizePlan(plan())).toBe('no change');
  expect(
    summarizePlan(
      plan(step('alter_table', 'posts'), step('alter_table', 'posts'), step('drop_table', 'tags')),
    ),
  ).toBe('alter posts, drop tags');
  expect(summarizePlan(plan(...['a', 'b', 'c', 'd', 'e'].map((table) => step('create_table', table))))).toBe(
    'create a, b and 3 more',
  );
});
