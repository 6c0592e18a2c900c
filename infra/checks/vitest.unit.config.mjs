import { defineConfig } from 'vitest/config';
import { decorators, root } from './vitest-base.mjs';

/** Pure and fast: no server, no network. */
export default defineConfig({
  root,
  oxc: decorators,
  test: {
    include: ['libs/*/src/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}', 'infra/local/**/*.test.mjs', 'infra/checks/read-vitest.test.mjs', 'bench/**/*.test.mjs'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.int.test.*', '**/*.e2e.*'],
    testTimeout: 10_000,
  },
});
