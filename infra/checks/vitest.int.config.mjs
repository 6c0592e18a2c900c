import { defineConfig } from 'vitest/config';
import { longFirst } from './runner/long-first.mjs';
import { NIGHTLY_INTEGRATION, selectFiles } from './runner/nightly.mjs';
import { decorators, root, server } from './vitest-base.mjs';

/** Each takes more than half a minute. */
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

/** Runs on a real MariaDB or MySQL and Redis, started for this run. */
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
    // Loading the code costs more than most of the tests.
    isolate: false,
    // More than there are cores, because many workers wait for leases, kills and limits.
    maxWorkers: 3,
    sequence: { sequencer: longFirst(LONG.map((name) => `${name}.int.test.ts`)) },
  },
});
