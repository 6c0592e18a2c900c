import type { MigrationPlan } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { ApiError } from '../../../data/client/api-error.js';
import { confirmShown, promoteShown, readNewPlan } from './shown-plan.js';

const plan = (hash: string, loss: readonly string[] = []): MigrationPlan =>
  ({ database: 'db_2', hash, loss, steps: [{ sql: 'A' }] }) as unknown as MigrationPlan;
const rejection = (code: string, extra: object): ApiError =>
  new ApiError(409, { detail: 'Changed.', code, ...extra });

it('a promotion always names the plan that is shown, and accepts only the loss of this plan', () => {
  expect(promoteShown('db_1', plan('h1'), false)).toEqual({ from: 'db_1', to: 'db_2', plan: 'h1' });
  expect(promoteShown('db_1', plan('h1', ['a']), true)).toEqual({
    from: 'db_1',
    to: 'db_2',
    plan: 'h1',
    confirm: ['h1'],
    accept_loss: true,
  });
  expect(confirmShown(plan('h1'))).toEqual({ confirm: ['h1'] });
  expect(confirmShown(plan('h1', ['a']))).toEqual({ confirm: ['h1'], accept_loss: true });
});

it('the plan of a rejection is shown if it differs from the plan that was sent', () => {
  const extra = { plans: [plan('h2')] };
  expect(readNewPlan(rejection('schema.needs_confirmation', extra), plan('h1'))).toEqual(plan('h2'));
  expect(readNewPlan(rejection('schema.needs_confirmation', extra), plan('h2'))).toBeNull();
  expect(readNewPlan(rejection('schema.busy', extra), plan('h1'))).toBeNull();
  expect(readNewPlan(rejection('schema.needs_confirmation', {}), plan('h1'))).toBeNull();
  expect(readNewPlan(null, plan('h1'))).toBeNull();
});
