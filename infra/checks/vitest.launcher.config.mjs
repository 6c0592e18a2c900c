import { defineConfig } from 'vitest/config';
import { root } from './vitest-base.mjs';

/** Configures the tests that start, kill and restart the launcher as a user would. */
export default defineConfig({
  root,
  test: {
    include: ['infra/checks/product/launcher.test.mjs'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
