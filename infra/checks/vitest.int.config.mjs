import { defineConfig } from 'vitest/config';
import { longFirst } from './long-first.mjs';
import { decorators, root, server } from './vitest-base.mjs';

/** More than half a minute each. */
const LONG = ['rebuild-resume', 'every-type', 'deploy', 'keep', 'transfer', 'resume', 'provision', 'limits', 'move', 'model-questions', 'idempotency-kill', 'change-details', 'move-resume', 'rebuild', 'values', 'signup'];

/** On a real MariaDB (or MySQL) and Redis, started for this run. */
export default defineConfig({
  root,
  oxc: decorators,
  test: {
    include: ['libs/*/src/**/*.int.test.ts', 'apps/*/src/**/*.int.test.ts', 'infra/**/*.int.test.mjs', 'bench/**/*.int.test.mjs'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['infra/checks/global-servers.mjs'],
    testTimeout: 60_000,
    // A state is polled for, and a busy machine takes its time to reach it.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    server,
    pool: 'forks',
    // Loading the code costs more than most of the tests.
    isolate: false,
    // More than cores: many of them wait for leases, kills and limits.
    maxWorkers: 3,
    sequence: { sequencer: longFirst(LONG.map((name) => `${name}.int.test.ts`)) },
  },
});
