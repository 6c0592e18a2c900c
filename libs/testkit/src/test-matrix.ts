import { getTestServers, type TestServers } from './test-servers.js';

/**
 * Returns whether the complete test matrix runs: each suite on each engine, each kill and each value.
 * `TEST_MATRIX=whole` (`pnpm test:long matrix`) selects it. `pnpm test` runs a representative subset.
 */
export function isWholeMatrix(): boolean {
  return process.env['TEST_MATRIX'] === 'whole';
}

/**
 * Returns the engine for suites whose result does not depend on it. They run on the first engine of the run.
 * Suites about SQL, types, DDL, accounts or server errors use `getTestServers().engines`.
 */
export function listEnginesOnce(): TestServers['engines'] {
  const { engines } = getTestServers();
  return isWholeMatrix() ? engines : engines.slice(0, 1);
}
