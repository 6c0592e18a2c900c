// @ts-check
import { expect, it } from 'vitest';
import { STAGES } from './stop-plan.mjs';

it('the stop plan ends all processes within ten seconds, even if each uses its grace period', () => {
  expect(STAGES.reduce((sum, { graceMs }) => sum + graceMs, 0)).toBeLessThan(10_000);
});

it('the stop plan ends each process before the servers that it calls', () => {
  const names = ['gateway', 'migration-worker', 'control-plane', 'redis', 'mysql', 'platform-mysql'];
  expect(names.map((name) => STAGES.findIndex(({ match }) => match.test(name)))).toEqual([0, 1, 2, 3, 4, 4]);
});
