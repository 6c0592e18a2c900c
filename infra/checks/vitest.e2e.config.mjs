import { defineConfig } from 'vitest/config';
import { decorators, root } from './vitest-base.mjs';

/** The whole product from outside, started once for the run. One file after the other: they share it. */
export default defineConfig({
  root,
  oxc: decorators,
  test: {
    include: ['e2e/**/*.e2e.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'e2e/long/**'],
    globalSetup: ['infra/checks/global-product.mjs'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
  },
});
