import { defineConfig } from 'vitest/config';
import { decorators, root, server } from './vitest-base.mjs';

/** Their tests put modules and `fetch` aside, which others must not meet; or they count what a stage of the hot path costs. */
const APART = ['apps/console/src/data/**/*.test.{ts,tsx}', 'apps/console/src/**/use-*.test.ts', 'apps/console/src/begin-*.test.ts', 'bench/**/*.test.mjs'];

/** @param {string} name @param {string[]} include @param {{exclude?: string[], isolate: boolean}} options */
const group = (name, include, { exclude = [], isolate }) => ({
  root,
  oxc: decorators,
  test: { name, include, isolate, server, exclude: ['**/node_modules/**', '**/dist/**', '**/*.int.test.*', '**/*.e2e.*', ...exclude], testTimeout: 10_000, expect: { poll: { timeout: 8_000 } } },
});

/** Pure and fast: no server, no network. Files share a process, since loading the code costs more than running it. */
export default defineConfig({
  root,
  test: {
    projects: [
      group('shared', ['libs/*/src/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}', 'infra/local/**/*.test.mjs', 'infra/checks/read-vitest.test.mjs', 'infra/checks/deploy-files.test.mjs'], { exclude: APART, isolate: false }),
      group('apart', APART, { isolate: true }),
    ],
  },
});
