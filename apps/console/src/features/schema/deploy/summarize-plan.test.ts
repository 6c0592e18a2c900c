import type { MigrationPlan, MigrationStep } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { summarizePlan } from './summarize-plan.js';

const step = (kind: MigrationStep['kind'], table: string): MigrationStep =>
  ({ kind, table }) as MigrationStep;
const plan = (...steps: MigrationStep[]): MigrationPlan => ({ steps }) as unknown as MigrationPlan;

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
