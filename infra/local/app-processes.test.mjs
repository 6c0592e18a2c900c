import { expect, it } from 'vitest';
import { GATEWAY_FLAGS, listNodeFlags } from './app-processes.mjs';

it("gives a process the engine's flags, but for those that its own NODE_OPTIONS set", () => {
  expect(listNodeFlags({ env: {}, nodeFlags: GATEWAY_FLAGS })).toEqual(GATEWAY_FLAGS);
  expect(listNodeFlags({ env: { NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=16' }, nodeFlags: GATEWAY_FLAGS })).toEqual(['--heap-growing-percent=60', '--no-allocation-site-pretenuring']);
  expect(listNodeFlags({ env: {} })).toEqual([]);
});
