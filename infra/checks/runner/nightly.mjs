/**
 * Test files that `pnpm test` does not run. They are slow, and they repeat for every kill point, column type
 * or console page what a faster test checks once. `pnpm test:long nightly` runs them. Which tests run depends
 * only on these lists, and never on the speed of the machine.
 */

/** Unit tests that measure CPU time. */
export const NIGHTLY_UNIT = ['bench/stages/stages.test.mjs'];

/** Integration tests. `pnpm test:long matrix` runs them too, with every matrix complete. */
export const NIGHTLY_INTEGRATION = [
  // Each value of each column type on each code path; `exact-values` and `group-types` run in CI.
  'apps/gateway/test/types/every-type.int.test.ts',
  'apps/migration-worker/src/values/values.int.test.ts',
  // A kill at each point of a change, a rebuild or a move; `lost-lease` runs in CI.
  'apps/migration-worker/src/online-ddl/rebuild/rebuild-resume.int.test.ts',
  'apps/migration-worker/src/move/move-resume.int.test.ts',
  'apps/migration-worker/src/online-ddl/resume.int.test.ts',
  // Long changes on both engines; `deploy` and the journeys of schema changes run in CI.
  'apps/migration-worker/src/online-ddl/soft-delete/keep.int.test.ts',
  'apps/migration-worker/src/online-ddl/rebuild/rebuild.int.test.ts',
  'apps/migration-worker/src/online-ddl/exclusive/renamed-settings.int.test.ts',
  'apps/migration-worker/src/online-ddl/change-details.int.test.ts',
  'apps/migration-worker/src/move/move.int.test.ts',
  'apps/migration-worker/src/transfer/transfer.int.test.ts',
  'apps/migration-worker/src/seed/seed-rows.int.test.ts',
  // Load that fills a server or a gateway; `limits` and `pool` run in CI.
  'apps/migration-worker/src/shares/shares.int.test.ts',
  'apps/migration-worker/src/accounts/login-flood.int.test.ts',
  'apps/gateway/test/limits/body-memory.int.test.ts',
  'apps/gateway/test/limits/response-memory.int.test.ts',
];

/** Journeys: short runs of long suites, and the longest journeys of the console. */
export const NIGHTLY_JOURNEYS = [
  'e2e/journeys/robustness/differential.e2e.ts',
  'e2e/journeys/robustness/faults.e2e.ts',
  'e2e/journeys/clients/readme-python.e2e.ts',
  'e2e/journeys/console/console-screens.e2e.ts',
  'e2e/journeys/console/console-schema.e2e.ts',
];

/**
 * Selects the files of a run by `TEST_SET`: `ci` omits the nightly files, `nightly` runs only them, and
 * without it everything runs.
 * @param {readonly string[]} include patterns of all files
 * @param {readonly string[]} nightly
 * @returns {{include: string[], exclude: string[]}}
 */
export function selectFiles(include, nightly) {
  const set = process.env['TEST_SET'];
  if (set === 'nightly') return { include: [...nightly], exclude: [] };
  return { include: [...include], exclude: set === 'ci' ? [...nightly] : [] };
}
