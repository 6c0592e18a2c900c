import { defineConfig } from 'vitest/config';
import { root } from './vitest-base.mjs';

/** Tests the launcher as a person uses it: it is started, killed and restarted. */
export default defineConfig({
  root,
  test: {
    include: ['infra/checks/product/launcher.test.mjs'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
