import { getTestServers, type TestServers } from './test-servers.js';

/**
 * `pnpm test` takes of a large matrix what differs in kind; `TEST_MATRIX=whole` (`pnpm test:long matrix`) takes all of it:
 * each suite on each engine, each kill, each value.
 */
export function isWholeMatrix(): boolean {
  return process.env['TEST_MATRIX'] === 'whole';
}

/**
 * For a suite that no engine answers otherwise than another: who is asked, counted, locked out or told. It runs on the
 * first engine of the run. Where SQL, types, DDL, accounts or the server's own errors are the subject, `getTestServers().engines`.
 */
export function listEnginesOnce(): TestServers['engines'] {
  const { engines } = getTestServers();
  return isWholeMatrix() ? engines : engines.slice(0, 1);
}
