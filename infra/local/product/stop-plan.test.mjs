// @ts-check
import { expect, it } from 'vitest';
import { STAGES } from './stop-plan.mjs';

it('stopping takes at most ten seconds, however long each process takes', () => {
  expect(STAGES.reduce((sum, { graceMs }) => sum + graceMs, 0)).toBeLessThan(10_000);
});

it('clients stop before the servers that they call', () => {
  const names = ['gateway', 'migration-worker', 'control-plane', 'redis', 'mysql', 'platform-mysql'];
  expect(names.map((name) => STAGES.findIndex(({ match }) => match.test(name)))).toEqual([0, 1, 2, 3, 4, 4]);
});
