import { defineConfig } from 'vitest/config';
import { longFirst } from './runner/long-first.mjs';
import { NIGHTLY_INTEGRATION, selectFiles } from './runner/nightly.mjs';
import { decorators, root, server } from './vitest-base.mjs';

/** Files that take more than half a minute each. */
const LONG = [
  'rebuild-resume',
  'every-type',
  'deploy',
  'keep',
  'transfer',
  'resume',
  'provision',
  'limits',
  'move',
  'model-questions',
  'idempotency-kill',
  'change-details',
  'move-resume',
  'rebuild',
  'values',
  'signup',
];

const { include, exclude } = selectFiles(
  [
    'libs/*/src/**/*.int.test.ts',
    'apps/*/{src,test}/**/*.int.test.ts',
    'infra/**/*.int.test.mjs',
    'bench/**/*.int.test.mjs',
  ],
  NIGHTLY_INTEGRATION,
);

/**
 * Configures the integration tests, which use real MariaDB or MySQL servers and a real Redis that are started
 * for the run.
 */
export default defineConfig({
  root,
  oxc: decorators,
  test: {
    include,
    exclude: ['**/node_modules/**', '**/dist/**', ...exclude],
    globalSetup: ['infra/checks/runner/global-servers.mjs'],
    testTimeout: 60_000,
    // Tests poll for a state, which takes longer on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    server,
    pool: 'forks',
    // Files share a process, because loading the code takes longer than most tests.
    isolate: false,
    // This is more than the number of cores, because test files often wait for leases, kills and limits.
    maxWorkers: 3,
    sequence: { sequencer: longFirst(LONG.map((name) => `${name}.int.test.ts`)) },
  },
});
